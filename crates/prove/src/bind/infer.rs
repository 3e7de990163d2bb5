//! Finds a map.

use super::inputs::{Side, match_io};
use super::layout::match_bytes;
use super::*;
use gpuproof_program::{Access, Class, Dimension, Kind, Node, Op, Resource, Shape, Target, walk};

/// Positions of the original's and the port's, and how they were paired.
type Found = (usize, usize, How);

/// What a program touches of its interface.
#[derive(Debug)]
pub(crate) struct Touched {
    /// The components of each input that are read, as a mask.
    pub inputs: Vec<u8>,
    /// The components of each output that are written, as a mask.
    pub outputs: Vec<u8>,
    pub resources: Vec<bool>,
    /// Those whose contents change.
    pub written: Vec<bool>,
    pub samplers: Vec<bool>,
    /// Those whose hidden counters change.
    pub counters: Vec<bool>,
    /// How many components of its texels are used, for each resource.
    pub texels: Vec<u8>,
}

impl Touched {
    pub(crate) fn of(program: &Program) -> Touched {
        let interface = &program.interface;
        let mut touched = Touched {
            inputs: vec![0; interface.inputs.len()],
            outputs: vec![0; interface.outputs.len()],
            resources: vec![false; interface.resources.len()],
            written: vec![false; interface.resources.len()],
            samplers: vec![false; interface.samplers.len()],
            counters: vec![false; interface.resources.len()],
            texels: vec![0; interface.resources.len()],
        };
        for function in &program.functions {
            let uses = crate::flow::use_counts(function);
            walk(&function.body, &mut |node| {
                let Node::Op(instruction) = node else { return };
                match instruction.attrs.target {
                    Target::Input(id, component) => touched.inputs[id.index()] |= 1 << component,
                    Target::Output(id, component) => touched.outputs[id.index()] |= 1 << component,
                    Target::Resource(id) => touched.resources[id.index()] = true,
                    Target::Sampled(resource, sampler) => {
                        touched.resources[resource.index()] = true;
                        touched.samplers[sampler.index()] = true;
                    }
                    _ => {}
                }
                if let (Op::CounterAlloc | Op::CounterConsume, Target::Resource(id)) = (instruction.op, instruction.attrs.target)
                {
                    touched.counters[id.index()] = true;
                } else if let (Class::Writes, Target::Resource(id)) = (instruction.op.row().class, instruction.attrs.target) {
                    touched.written[id.index()] = true;
                }
                if let (Op::TexelLoad, Target::Resource(id)) = (instruction.op, instruction.attrs.target) {
                    let used = (0..4u8).rev().find(|at| uses[instruction.results[usize::from(*at)].index()] > 0);
                    let most = &mut touched.texels[id.index()];
                    *most = (*most).max(used.map_or(0, |at| at + 1));
                }
            });
        }
        touched
    }
}

/// The kinds of resources that may stand for each other, and how well: 0 for alike, more for less alike.
fn likeness(original: &Resource, port: &Resource) -> Option<u32> {
    use Shape::*;
    let dimension = |shape: &Shape| match shape {
        Texture(texture) => Some(texture.dimension),
        _ => None,
    };
    match (&original.shape, &port.shape) {
        (Texture(a), Texture(b)) => {
            let same = a.dimension == b.dimension && a.arrayed == b.arrayed && a.multisampled == b.multisampled;
            same.then_some(if original.access == port.access { 0 } else { 2 })
        }
        (a, b) => match (dimension(a), dimension(b)) {
            (None | Some(Dimension::Buffer), None | Some(Dimension::Buffer)) => {
                let constant = |shape: &Shape| matches!(shape, ConstantBuffer { .. });
                let written = |resource: &Resource| resource.access != Access::Read;
                Some(
                    4 * u32::from(constant(a) != constant(b))
                        + 2 * u32::from(written(original) != written(port))
                        + u32::from(dimension(a) != dimension(b)),
                )
            }
            _ => None,
        },
    }
}

/// A number that tells the class of a slot and orders slots of one class.
fn slot_order(slot: Slot) -> (u32, u32) {
    match slot {
        Slot::Register { space, index, .. } => (space, index),
        Slot::Binding { group, binding } => (group, binding),
    }
}

impl Map {
    /// Finds which things of the port stand for which of the original.
    ///
    /// # Errors
    /// When something that the port reads, or that both write, has no partner: with what is left on both sides.
    pub fn infer(original: &Program, port: &Program) -> Result<Map, BindError> {
        let (map, open) = Map::infer_part(original, port)?;
        match open.into_iter().next() {
            None => Ok(map),
            Some(error) => Err(error),
        }
    }

    /// Finds what can be found, and tells what is left open on both sides: a map to be completed by hand.
    ///
    /// # Errors
    /// When a lane of one program is no lane of the other, so that no map can help.
    pub fn infer_part(original: &Program, port: &Program) -> Result<(Map, Vec<BindError>), BindError> {
        resolve::same_lanes(original, port)?;
        let (left, right) = (Touched::of(original), Touched::of(port));
        let (mut map, mut open) = (Map::default(), Vec::new());
        open.extend(map.infer_io(original, port, (&left, &right), true).err());
        open.extend(map.infer_io(original, port, (&left, &right), false).err());
        map.infer_resources(original, port, (&left, &right), &mut open);
        open.extend(map.infer_samplers(original, port, (&left, &right)).err());
        Ok((map, open))
    }

    fn infer_io(
        &mut self,
        original: &Program,
        port: &Program,
        touched: (&Touched, &Touched),
        inputs: bool,
    ) -> Result<(), BindError> {
        let side = |program: &'_ Program, touched: &Touched| {
            let (variables, names, used) = if inputs {
                (&program.interface.inputs, input_names(program), touched.inputs.clone())
            } else {
                (&program.interface.outputs, output_names(program), touched.outputs.clone())
            };
            (variables.clone(), names, used, program.dialect)
        };
        let (left, right) = (side(original, touched.0), side(port, touched.1));
        let left = Side { variables: &left.0, names: left.1, used: left.2, dialect: left.3 };
        let right = Side { variables: &right.0, names: right.1, used: right.2, dialect: right.3 };
        let matched = match_io(&left, &right, original.stage, inputs);
        let names = |side: &Side<'_>, of: &[usize]| -> Vec<String> {
            of.iter().filter(|at| side.used[**at] != 0).map(|at| side.names[*at].clone()).collect()
        };
        if inputs {
            let (spare, missing) = (names(&left, &matched.original), names(&right, &matched.port));
            self.inputs = matched.pairs;
            if !missing.is_empty() {
                return Err(BindError::Unmatched { what: "inputs".into(), original: spare, port: missing });
            }
            let note = |name| format!("the port does not read what stands for the original's input {name}");
            self.notes.extend(spare.iter().map(note));
            return Ok(());
        }
        // Whatever the original writes needs a partner, each component of it; what the port writes besides needs none, but for what the
        // pipeline takes.
        let spare = matched.unpaired(&left, |pair| &pair.original);
        let missing = matched.unpaired(&right, |pair| &pair.port);
        let pipeline: Vec<usize> = matched.port.iter().copied().filter(|at| right.variables[*at].builtin.is_some()).collect();
        self.outputs = matched.pairs;
        if !spare.is_empty() || !names(&right, &pipeline).is_empty() {
            return Err(BindError::Unmatched { what: "outputs".into(), original: spare, port: missing });
        }
        self.notes.extend(missing.iter().map(|name| format!("the port writes {name}, the original does not")));
        Ok(())
    }

    fn infer_resources(
        &mut self,
        original: &Program,
        port: &Program,
        touched: (&Touched, &Touched),
        errors: &mut Vec<BindError>,
    ) {
        let (names, port_names) = (resource_names(&original.interface), resource_names(&port.interface));
        let (left, right) = (&original.interface.resources, &port.interface.resources);
        let (mut open, mut free) = (which(&touched.0.resources), which(&touched.1.resources));

        let name = |resources: &[Resource], of: &[usize]| -> Vec<(usize, String)> {
            of.iter().map(|at| (*at, resources[*at].name.clone())).collect()
        };
        let mut found: Vec<(usize, usize, How)> =
            names::pairs(&name(left, &open), &name(right, &free), &|a, b| likeness(&left[a], &right[b]).is_some())
                .into_iter()
                .map(|(a, b)| (a, b, How::Name))
                .collect();
        open.retain(|at| !found.iter().any(|pair| pair.0 == *at));
        free.retain(|at| !found.iter().any(|pair| pair.1 == *at));
        self.infer_counter_words(original, port, touched, (&mut open, &mut free));

        for worst in [0, 1, 2, 3, 7] {
            let fits = |a: usize, b: usize| likeness(&left[a], &right[b]).is_some_and(|likeness| likeness <= worst);
            for (a, b, how) in by_slot(left, right, &open, &free, &fits) {
                open.retain(|at| *at != a);
                free.retain(|at| *at != b);
                found.push((a, b, how));
            }
        }
        if !open.is_empty() || !free.is_empty() {
            let describe = |resources: &[Resource], names: &[String], of: &[usize]| {
                of.iter()
                    .map(|at| format!("{} ({}, {})", names[*at], slot_name(resources[*at].slot), kind_name(&resources[*at])))
                    .collect()
            };
            let (original, port) = (describe(left, &names, &open), describe(right, &port_names, &free));
            errors.push(BindError::Unmatched { what: "resources".into(), original, port });
        }
        errors.extend(self.infer_counters(original, port, (touched, &found)).err());
        found.sort_unstable_by_key(|pair| pair.0);
        for (a, b, how) in found {
            let texels = (touched.0.texels[a], touched.1.texels[b]);
            let (transfer, open) = self.transfer(&left[a], &right[b], touched.0.written[a], texels);
            errors.extend(open);
            self.resources.push(ResourcePair { original: names[a].clone(), port: port_names[b].clone(), transfer, how });
        }
    }

    /// How contents go over, and what of them is left open.
    fn transfer(
        &mut self,
        original: &Resource,
        port: &Resource,
        written: bool,
        texels: (u8, u8),
    ) -> (Transfer, Option<BindError>) {
        let typed = |resource: &Resource| match resource.shape {
            Shape::Texture(texture) => Some(texture),
            _ => None,
        };
        match (typed(original), typed(port)) {
            (Some(_), Some(_)) => (Transfer::Whole, None),
            (Some(texture), None) => (Transfer::Texels(packed_format(texture.kind, texels.0, port)), None),
            (None, Some(texture)) => (Transfer::Texels(packed_format(texture.kind, texels.1, original)), None),
            (None, None) => {
                let matching = match_bytes(original, port);
                // What the original writes has to be in the port.
                if !matching.port.is_empty() || (written && !matching.original.is_empty()) {
                    let what = format!("members of {} and {}", original.name, port.name);
                    let open = BindError::Unmatched { what, original: matching.original, port: matching.port };
                    return (Transfer::Bytes(matching.runs), Some(open));
                }
                let left = matching.original.iter().chain(&matching.padding);
                self.notes.extend(left.map(|name| format!("nothing in the port stands for {}.{name}", original.name)));
                (Transfer::Bytes(matching.runs), None)
            }
        }
    }

    /// Pairs the hidden counters of a program with plain words of one that has no hidden counters, and takes these out of what is left.
    fn infer_counter_words(
        &mut self,
        original: &Program,
        port: &Program,
        touched: (&Touched, &Touched),
        (open, free): (&mut Vec<usize>, &mut Vec<usize>),
    ) {
        let (left, right) = (which(&touched.0.counters), which(&touched.1.counters));
        let (names, port_names) = (resource_names(&original.interface), resource_names(&port.interface));
        let word = |names: &[String], at: usize| CounterPlace::Word { resource: names[at].clone(), offset: 0 };
        if right.is_empty() {
            let resources = &port.interface.resources;
            for at in left {
                if let Some(found) = counter_word(resources, free, &original.interface.resources[at].name) {
                    free.retain(|at| *at != found);
                    let original = CounterPlace::Hidden(names[at].clone());
                    self.counters.push(CounterPair { original, port: word(&port_names, found) });
                }
            }
        } else if left.is_empty() {
            let resources = &original.interface.resources;
            for at in right {
                if let Some(found) = counter_word(resources, open, &port.interface.resources[at].name) {
                    open.retain(|at| *at != found);
                    let port = CounterPlace::Hidden(port_names[at].clone());
                    self.counters.push(CounterPair { original: word(&names, found), port });
                }
            }
        }
    }

    /// Pairs the hidden counters of resources that were paired. Every counter needs a partner.
    fn infer_counters(
        &mut self,
        original: &Program,
        port: &Program,
        (touched, found): ((&Touched, &Touched), &[Found]),
    ) -> Result<(), BindError> {
        let (mut left, mut right) = (which(&touched.0.counters), which(&touched.1.counters));
        let (names, port_names) = (resource_names(&original.interface), resource_names(&port.interface));
        for (a, b, _) in found {
            if left.contains(a) && right.contains(b) {
                left.retain(|at| at != a);
                right.retain(|at| at != b);
                let (original, port) = (CounterPlace::Hidden(names[*a].clone()), CounterPlace::Hidden(port_names[*b].clone()));
                self.counters.push(CounterPair { original, port });
            }
        }
        left.retain(|at| !self.counters.iter().any(|pair| pair.original == CounterPlace::Hidden(names[*at].clone())));
        right.retain(|at| !self.counters.iter().any(|pair| pair.port == CounterPlace::Hidden(port_names[*at].clone())));
        if left.is_empty() && right.is_empty() {
            return Ok(());
        }
        let describe = |names: &[String], of: &[usize]| of.iter().map(|at| format!("counter of {}", names[*at])).collect();
        let (original, port) = (describe(&names, &left), describe(&port_names, &right));
        Err(BindError::Unmatched { what: "counters".into(), original, port })
    }
}

/// The positions that are set.
fn which(set: &[bool]) -> Vec<usize> {
    (0..set.len()).filter(|at| set[*at]).collect()
}

/// The buffer among `free` that keeps the counter of a resource with this name.
fn counter_word(resources: &[Resource], free: &[usize], name: &str) -> Option<usize> {
    let key = |name: &str| names::key(name, names::Strictness::Strict);
    let counting = |at: &&usize| {
        let resource = &resources[**at];
        let name = resource.name.to_ascii_lowercase();
        !matches!(resource.shape, Shape::Texture(_)) && (name.contains("count") || name.contains("counter"))
    };
    let wanted = key(name);
    let named = |at: &&usize| {
        let whole = resources[**at].name.replace("_u002e_", "").to_ascii_lowercase().replace(['_', '.'], "");
        whole.contains(&wanted)
    };
    let candidates: Vec<&usize> = free.iter().filter(counting).collect();
    candidates.iter().find(|at| named(at)).or(candidates.first().filter(|_| candidates.len() == 1)).map(|at| **at)
}

/// The format whose texels a plain buffer holds when it stands for a typed one.
fn packed_format(kind: Kind, used: u8, packed: &Resource) -> u32 {
    let stride =
        layout::leaves_of(packed).and_then(|leaves| leaves.first().and_then(|leaf| leaf.arrays.first().map(|array| array.1)));
    let components = match (stride, used) {
        (Some(8), _) => 2,
        (Some(4), 0 | 1) => 1,
        (Some(4), 2) => 2,
        _ => 4,
    };
    // DXGI_FORMAT: R32G32B32A32, R32G32 and R32, each FLOAT, UINT, SINT.
    let numbers = match components {
        1 => [41, 42, 43],
        2 => [16, 17, 18],
        _ => [2, 3, 4],
    };
    match kind {
        Kind::Uint => numbers[1],
        Kind::Sint => numbers[2],
        _ => numbers[0],
    }
}

pub(super) fn kind_name(resource: &Resource) -> String {
    match resource.shape {
        Shape::ConstantBuffer { .. } => "constant buffer".into(),
        Shape::Buffer { .. } => "buffer".into(),
        Shape::Structured { stride } => format!("structured buffer of {stride} bytes"),
        Shape::Texture(texture) => {
            let array = if texture.arrayed { " array" } else { "" };
            match texture.dimension {
                Dimension::Buffer => "typed buffer".into(),
                Dimension::D1 => format!("1D texture{array}"),
                Dimension::D2 => format!("2D texture{array}"),
                Dimension::D3 => "3D texture".into(),
                Dimension::Cube => format!("cube texture{array}"),
            }
        }
    }
}

/// Pairs by slot: numbers that differ by the same amount for all, else by order where both sides have as many.
fn by_slot(
    left: &[Resource],
    right: &[Resource],
    open: &[usize],
    free: &[usize],
    fits: &dyn Fn(usize, usize) -> bool,
) -> Vec<(usize, usize, How)> {
    let mut found = Vec::new();
    let mut seen: Vec<usize> = Vec::new();
    for first in open {
        if seen.contains(first) {
            continue;
        }
        // All that may stand for the same things as the first.
        let partners: Vec<usize> = free.iter().copied().filter(|to| fits(*first, *to)).collect();
        let alike = |at: &usize| free.iter().all(|to| fits(*at, *to) == partners.contains(to));
        let mut group: Vec<usize> = open.iter().copied().filter(alike).collect();
        seen.extend(&group);
        let mut partners = partners;
        group.sort_by_key(|at| slot_order(left[*at].slot));
        partners.sort_by_key(|at| slot_order(right[*at].slot));
        if group.len() == partners.len() {
            found.extend(group.iter().zip(&partners).map(|(a, b)| (*a, *b, How::Order)));
            continue;
        }
        // Fewer on one side: the numbers must tell.
        let number = |slot| slot_order(slot).1;
        for shift in [0, 100, 200, 300, 1000] {
            let partner = |at: &usize| {
                partners
                    .iter()
                    .find(|to| number(right[**to].slot) == number(left[*at].slot) + shift)
                    .map(|to| (*at, *to, How::Slot))
            };
            let pairs: Vec<_> = group.iter().filter_map(partner).collect();
            if pairs.len() == group.len().min(partners.len()) {
                found.extend(pairs);
                break;
            }
        }
    }
    found
}

impl Map {
    fn infer_samplers(&mut self, original: &Program, port: &Program, touched: (&Touched, &Touched)) -> Result<(), BindError> {
        let (names, port_names) = (sampler_names(&original.interface), sampler_names(&port.interface));
        let (left, right) = (&original.interface.samplers, &port.interface.samplers);
        let open: Vec<(usize, String)> =
            (0..left.len()).filter(|at| touched.0.samplers[*at]).map(|at| (at, left[at].name.clone())).collect();
        let free: Vec<(usize, String)> =
            (0..right.len()).filter(|at| touched.1.samplers[*at]).map(|at| (at, right[at].name.clone())).collect();
        let mut found: Vec<(usize, usize, How)> =
            names::pairs(&open, &free, &|_, _| true).into_iter().map(|(a, b)| (a, b, How::Name)).collect();
        for comparison in [false, true] {
            let mut open: Vec<usize> = open.iter().map(|pair| pair.0).filter(|at| left[*at].comparison == comparison).collect();
            let mut free: Vec<usize> = free.iter().map(|pair| pair.0).filter(|at| right[*at].comparison == comparison).collect();
            open.retain(|at| !found.iter().any(|pair| pair.0 == *at));
            free.retain(|at| !found.iter().any(|pair| pair.1 == *at));
            open.sort_by_key(|at| slot_order(left[*at].slot));
            free.sort_by_key(|at| slot_order(right[*at].slot));
            if open.len() == free.len() {
                found.extend(open.iter().zip(&free).map(|(a, b)| (*a, *b, How::Order)));
            }
        }
        // Two names of one sampler do no harm: the port gets the state of its partner. One that the port lacks is not needed.
        let missing: Vec<String> = free
            .iter()
            .filter(|(at, _)| !found.iter().any(|pair| pair.1 == *at))
            .map(|(at, _)| port_names[*at].clone())
            .collect();
        let spare = open.iter().filter(|(at, _)| !found.iter().any(|pair| pair.0 == *at)).map(|(at, _)| names[*at].clone());
        let spare: Vec<String> = spare.collect();
        found.sort_unstable_by_key(|pair| pair.0);
        self.samplers.extend(found.into_iter().map(|(a, b, how)| SamplerPair {
            original: names[a].clone(),
            port: port_names[b].clone(),
            how,
        }));
        if !missing.is_empty() {
            return Err(BindError::Unmatched { what: "samplers".into(), original: spare, port: missing });
        }
        Ok(())
    }
}
