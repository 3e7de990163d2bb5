//! What a comparison is worth.
//!
//! A comparison shows mistakes only where its cases look. Two things tell where they do: *goals*, what the cases should make a program do (every
//! operation, both ways of every decision, both sides of every comparison), watched by probes that are added to the program (`goals`,
//! `cover`); and *mutants*, programs with one mistake each (`mutate`), which the cases should show (`run`). What the generated cases miss is
//! searched for (`search`), and near the cases where a mutant computes something else and nothing comes of it (`vary`). A mutant that breaks a rule is given
//! what the rule is for (`wish`), and one that is off by little is tried where the original turns over (`boundary`). What is found is compared too.

mod aim;
mod boundary;
mod cover;
mod equivalent;
mod fixed;
mod goals;
mod guard;
mod infect;
mod mutate;
mod places;
pub mod record;
mod run;
mod search;
mod slice;
#[cfg(test)]
mod tests;
mod vary;
mod weave;
mod wish;

pub(crate) use cover::Cover;
pub use record::*;

use crate::bind::{Binding, Carried, Convert, Joined, Repeat, Run, Transfer};
use crate::cases::{CaseClass, NamedCase};
use crate::facts::{Fact, facts};
use crate::random::Random;
use gpuproof_program::{Origin, Program};
use gpuproof_run::{Case, Options, Plan, RunError};
use infect::{Lanes, infect};
use mutate::{Mutant, mutants};
use places::Places;
use run::{Runner, Shown};
pub(crate) use search::Start;
use search::{Space, Wanted, search};
use slice::slice;
use std::collections::{BTreeMap, BTreeSet};
use vary::Vary;

/// How much is done to tell what a comparison is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdequacySettings {
    /// Mutants that are run at most; a sample of more.
    pub mutants: usize,
    /// Steps (one operation on one lane; a lookup of a texture counts for many) that all mutants may take together, with what it takes to make them ready; each
    /// of three searches may take an eighth of them.
    pub max_steps: u64,
    /// Rounds of the search for cases that reach more, for each goal; none where it is 0.
    pub rounds: usize,
}

impl AdequacySettings {
    /// What a comparison does by itself: a second or two.
    pub fn quick() -> AdequacySettings {
        AdequacySettings { mutants: 600, max_steps: 500_000_000, rounds: 20 }
    }

    /// All mutants, and a long search.
    pub fn full() -> AdequacySettings {
        AdequacySettings { mutants: usize::MAX, max_steps: 40_000_000_000, rounds: 60 }
    }
}

/// A small part of a case, to run mutants on.
pub(crate) fn small(program: &Program, case: &Case) -> Case {
    const LANES: u32 = 128;
    slice(program, case, &(0..LANES.min(crate::cases::lanes(program, &case.launch) as u32)).collect())
}

/// Whether what a mutant shows on a part of a case it shows on the whole.
pub(crate) fn parts_are_exact(program: &Program) -> bool {
    slice::is_exact(program)
}

/// What a program was made to do.
pub(crate) fn reached(program: &Program, cover: &Cover) -> Reached {
    let mut found = Reached::default();
    let impossible = impossible(program, cover);
    for class in GoalClass::ALL {
        let goals: Vec<usize> = (0..cover.goals.len()).filter(|at| cover.goals[*at].class == class).collect();
        let count = |of: &dyn Fn(usize) -> bool| goals.iter().filter(|at| of(**at)).count() as u32;
        let (reached, unreachable) = (count(&|at| cover.met[at]), count(&|at| impossible[at]));
        if !goals.is_empty() {
            found.goals.push(GoalTally { class, goals: goals.len() as u32, reached, unreachable });
        }
    }
    let mut seen = BTreeSet::new();
    let mut missing: Vec<(Origin, Missing)> = Vec::new();
    for (_, goal) in cover.goals.iter().enumerate().filter(|(at, _)| !cover.met[*at] && !impossible[*at]) {
        let (line, text) = place(program, goal.origin);
        if seen.insert((goal.class, line, goal.what.clone())) {
            missing.push((goal.origin, Missing { class: goal.class, line, text, what: goal.what.clone() }));
        }
    }
    missing.sort_by_key(|(origin, missing)| (origin.line, missing.class));
    found.missing = missing.into_iter().map(|(_, missing)| missing).collect();
    found
}

/// For each goal whether what is known of the program's values rules it out.
fn impossible(program: &Program, cover: &Cover) -> Vec<bool> {
    let (probed, goals) = goals::probe(program, &cover.met);
    let known: Vec<Vec<Fact>> = probed.program.functions.iter().map(|function| facts(&probed.program, function)).collect();
    let (mut possible, mut watched) = (vec![false; goals.len()], vec![false; goals.len()]);
    for probe in &probed.probes {
        let fact = known[probe.key.0.index()][probe.key.1.index()];
        let never = fact.is_never()
            || match probe.want {
                goals::Want::Bit(bit) => fact.known() == Some(u64::from(!bit)),
                goals::Want::Addressed(..) => fact.known() == Some(0),
                goals::Want::Made | goals::Want::Rounds(_) => false,
            };
        watched[probe.goal] = true;
        possible[probe.goal] |= !never;
    }
    (0..goals.len()).map(|goal| watched[goal] && !possible[goal] && !cover.met[goal]).collect()
}

/// A line's number and text; 0 and nothing where the source has none.
fn place(program: &Program, origin: Origin) -> (u32, String) {
    program.source.line(origin).map_or((0, String::new()), |line| (line.number, line.text.trim().to_string()))
}

/// What became of one mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Noticed,
    Equivalent,
    /// Whether it computed something else somewhere.
    Survived(bool),
}

/// The original, and the cases that it was compared on.
pub(crate) struct Original<'a> {
    pub(crate) program: &'a Program,
    /// What the comparison compares.
    pub(crate) binding: &'a Binding,
    pub(crate) plan: &'a Plan,
    /// Parts of the cases.
    pub(crate) small: Vec<Start>,
    /// More cases, for the mutants that those do not show.
    pub(crate) more: Vec<Start>,
    pub(crate) seed: u64,
    /// Whether cases may be looked for, and whether among edge values.
    pub(crate) search: Option<bool>,
}

/// What became of the mutants, and cases that show more of them.
#[derive(Default)]
pub(crate) struct Tried {
    pub(crate) mutants: Mutants,
    pub(crate) found: Vec<Start>,
    pub(crate) searched: Searched,
}

/// Looks for cases that reach goals of the original, or of the port, which were not: the cases, and how many goals were searched for.
pub(crate) fn reach_more(
    original: &Original<'_>,
    port: Option<&Program>,
    cover: &Cover,
    settings: &AdequacySettings,
) -> (Vec<Start>, Searched) {
    let Some(edges) = original.search else { return Default::default() };
    let program = port.unwrap_or(original.program);
    let impossible = impossible(program, cover);
    let (probed, _) = goals::probe(program, &cover.met);
    // A goal with several probes is met by any of them.
    let wanted: Vec<(usize, Wanted)> = probed
        .probes
        .iter()
        .filter(|probe| !impossible[probe.goal] && !cover.met[probe.goal])
        .filter_map(|probe| {
            let of = |truth, addressed| Some((probe.goal, Wanted { key: probe.key, truth, addressed }));
            match probe.want {
                goals::Want::Bit(truth) => of(truth, None),
                goals::Want::Addressed(sampler, axis, mode) => of(true, Some((sampler, axis, mode))),
                goals::Want::Made | goals::Want::Rounds(_) => None,
            }
        })
        .collect();
    let conditions: Vec<Wanted> = wanted.iter().map(|wanted| wanted.1).collect();
    let goals: BTreeSet<usize> = wanted.iter().map(|wanted| wanted.0).collect();
    let space = Space {
        program: &probed.program,
        original: original.program,
        port: port.map(|port| (port, original.binding)),
        starts: &original.small,
        seed: original.seed,
        rounds: settings.rounds,
        max_steps: settings.max_steps / 8,
        edges,
    };
    let (found, by) = search(&space, &conditions);
    let reached: BTreeSet<usize> = wanted.iter().zip(&by).filter(|(_, by)| by.is_some()).map(|((goal, _), _)| *goal).collect();
    let searched = Searched { goals: goals.len() as u32, reached: reached.len() as u32, cases: found.len() as u32 };
    (found, searched)
}

/// Runs the mutants of a program. `cases` gives the whole cases, one after another.
///
/// # Errors
/// Those of running the original.
pub(crate) fn run_mutants(
    original: &Original<'_>,
    settings: &AdequacySettings,
    cases: &mut dyn Iterator<Item = NamedCase>,
) -> Result<Tried, RunError> {
    let program = original.program;
    let all = mutants(program);
    let of = all.len() as u32;
    let binding = itself(original.binding);
    let mut runner = Runner::new(program, &binding, original.plan);
    let mut shown = original
        .small
        .iter()
        .map(|start| Shown::new(original.plan, start.case.clone(), u64::MAX))
        .collect::<Result<Vec<Shown>, RunError>>()?;
    // A mutant that survives runs on all parts, and few do; as much again goes into looking closer.
    let each = (shown.iter().map(|shown| shown.outcome.effort).sum::<u64>() / 4 + runner.preparing).max(1);
    let affordable = usize::try_from(settings.max_steps / 2 / each).unwrap_or(usize::MAX).max(50);
    let chosen = sample(all, settings.mutants.min(affordable), original.seed);
    let mut fates: Vec<(Mutant, Fate)> = Vec::new();
    let mut survivors = Vec::new();
    for mutant in chosen {
        if runner.steps > settings.max_steps {
            break;
        }
        let noticed = match runner.plan(&mutant) {
            Some(plan) => first_notice(&mut runner, &plan, &mut shown)?,
            // What the machine refuses shows nothing.
            None => false,
        };
        if !noticed {
            survivors.push(fates.len());
        }
        fates.push((mutant, if noticed { Fate::Noticed } else { Fate::Survived(false) }));
    }
    drop(shown);
    let list: Vec<&Mutant> = survivors.iter().map(|at| &fates[*at].0).collect();
    let shown = equivalent::equivalent(program, &list);
    for (at, _) in survivors.iter().zip(shown).filter(|(_, shown)| *shown) {
        fates[*at].1 = Fate::Equivalent;
    }
    let mut found = try_all(original, &mut runner, settings, &mut fates, original.more.clone())?;
    let places = Places::of(program);
    found.extend(grant(original, &mut runner, settings, &mut fates, &places)?);
    survivors.retain(|at| matches!(fates[*at].1, Fate::Survived(_)));
    let near = look_closer(original, &mut runner, settings, cases, &mut fates, &survivors)?;
    let (more, searched) = show_more(original, &mut runner, settings, &mut fates)?;
    found.extend(more);
    found.extend(pursue(original, &mut runner, settings, &mut fates, &near)?);
    found.extend(boundary::straddle(original, &mut runner, settings, &mut fates, (&near, &places))?);
    let searched = Searched { cases: found.len() as u32, ..searched };
    Ok(Tried { mutants: tally(program, of, &fates), found, searched })
}

/// Whether one of the cases shows a mutant; that one comes first for the next, since what showed one shows others.
fn first_notice(runner: &mut Runner<'_>, plan: &Plan, shown: &mut [Shown]) -> Result<bool, RunError> {
    for at in 0..shown.len() {
        if runner.notices(plan, &mut shown[at])? {
            shown[..=at].rotate_right(1);
            return Ok(true);
        }
    }
    Ok(false)
}

/// Tries what survived on cases. Gives the cases that showed any.
fn try_all(
    original: &Original<'_>,
    runner: &mut Runner<'_>,
    settings: &AdequacySettings,
    fates: &mut [(Mutant, Fate)],
    cases: Vec<Start>,
) -> Result<Vec<Start>, RunError> {
    // A mutant is noticed only by what is compared too.
    let ran = |start: Start| Shown::new(original.plan, start.case.clone(), 50_000_000).ok().map(|shown| (start, shown, false));
    let mut ran: Vec<(Start, Shown, bool)> = cases.into_iter().filter_map(ran).collect();
    for (mutant, fate) in fates.iter_mut().filter(|(_, fate)| matches!(fate, Fate::Survived(_))) {
        if runner.steps > settings.max_steps {
            break;
        }
        let Some(plan) = runner.plan(mutant) else { continue };
        for (_, shown, shows) in &mut ran {
            if runner.notices(&plan, shown)? {
                (*fate, *shows) = (Fate::Noticed, true);
                break;
            }
        }
    }
    Ok(ran.into_iter().filter(|(.., shows)| *shows).map(|(start, ..)| start).collect())
}

/// Makes cases in which mutants that break a rule see what it is for. Gives those that showed any.
fn grant(
    original: &Original<'_>,
    runner: &mut Runner<'_>,
    settings: &AdequacySettings,
    fates: &mut [(Mutant, Fate)],
    places: &Places<'_>,
) -> Result<Vec<Start>, RunError> {
    let mut useful = Vec::new();
    let Some(edges) = original.search.filter(|_| settings.rounds > 0) else { return Ok(useful) };
    let most = runner.steps.saturating_add(settings.max_steps / 16).min(settings.max_steps);
    for (mutant, fate) in fates.iter_mut().filter(|(_, fate)| matches!(fate, Fate::Survived(_))) {
        let wished = places.wished(mutant, &original.small, edges);
        let Some(plan) = runner.plan(mutant).filter(|_| !wished.is_empty()) else { continue };
        for start in wished {
            if runner.steps > most {
                return Ok(useful);
            }
            let Ok(mut shown) = Shown::new(original.plan, start.case.clone(), 5_000_000) else { continue };
            runner.steps = runner.steps.saturating_add(shown.outcome.effort);
            if runner.notices(&plan, &mut shown)? {
                *fate = Fate::Noticed;
                useful.push(start);
                break;
            }
        }
    }
    Ok(useful)
}

/// Looks for cases on which mutants that gave the same everywhere give something else, and tries all survivors on them. Gives the cases that
/// showed any.
fn show_more(
    original: &Original<'_>,
    runner: &mut Runner<'_>,
    settings: &AdequacySettings,
    fates: &mut [(Mutant, Fate)],
) -> Result<(Vec<Start>, Searched), RunError> {
    let Some(edges) = original.search.filter(|_| settings.rounds > 0) else { return Ok(Default::default()) };
    let healthy: Vec<usize> = (0..fates.len()).filter(|at| fates[*at].1 == Fate::Survived(false)).collect();
    let list: Vec<&Mutant> = healthy.iter().map(|at| &fates[*at].0).collect();
    let infected = infect(original.program, &list);
    let wanted: Vec<Wanted> =
        infected.probes.iter().flatten().map(|key| Wanted { key: *key, truth: true, addressed: None }).collect();
    let space = Space {
        program: &infected.program,
        original: original.program,
        port: None,
        starts: &original.small,
        seed: original.seed,
        rounds: settings.rounds,
        max_steps: settings.max_steps / 8,
        edges,
    };
    let (cases, by) = search(&space, &wanted);
    let reached = by.iter().flatten().count() as u32;
    let probed = healthy.iter().zip(&infected.probes).filter(|(_, probe)| probe.is_some()).map(|(at, _)| *at);
    for (at, by) in probed.zip(&by) {
        if by.is_some() {
            fates[at].1 = Fate::Survived(true);
        }
    }
    let useful = try_all(original, runner, settings, fates, cases)?;
    let searched = Searched { goals: wanted.len() as u32, reached, cases: useful.len() as u32 };
    Ok((useful, searched))
}

/// Runs what survived on those lanes of the whole cases where it computes something else. Gives some of these lanes for each that still survives.
fn look_closer(
    original: &Original<'_>,
    runner: &mut Runner<'_>,
    settings: &AdequacySettings,
    cases: &mut dyn Iterator<Item = NamedCase>,
    fates: &mut [(Mutant, Fate)],
    survivors: &[usize],
) -> Result<BTreeMap<usize, Start>, RunError> {
    const LANES: usize = 16;
    // Where lanes cannot be run without others, a mutant has few chances.
    const CHANCES: u32 = 3;
    let program = original.program;
    let by_lane = slice::is_exact(program);
    let mut near = BTreeMap::new();
    let mut open: Vec<usize> = survivors.to_vec();
    let mut chances = vec![CHANCES; survivors.len()];
    let mut plan: Option<(Plan, Vec<Option<goals::Key>>, usize)> = None;
    for named in cases {
        if open.is_empty() || runner.steps > settings.max_steps {
            break;
        }
        // Probes of what was noticed cost time.
        if plan.as_ref().is_none_or(|known| open.len() * 2 < known.2) {
            let list: Vec<&Mutant> = survivors.iter().map(|at| &fates[*at].0).collect();
            let kept: Vec<&Mutant> =
                list.iter().zip(survivors).filter(|(_, at)| open.contains(at)).map(|(mutant, _)| *mutant).collect();
            let infected = infect(program, &kept);
            let mut probes = vec![None; survivors.len()];
            let mut next = infected.probes.into_iter();
            for (slot, at) in probes.iter_mut().zip(survivors) {
                if open.contains(at) {
                    *slot = next.next().flatten();
                }
            }
            plan = Some((Plan::compile(&infected.program)?, probes, open.len()));
        }
        let Some((probed, probes, _)) = &plan else { break };
        let wanted: Vec<_> = probes.iter().zip(survivors).map(|(probe, at)| probe.filter(|_| open.contains(at))).collect();
        let mut lanes = Lanes::new(&wanted, LANES);
        let options = Options { races: false, max_events: 0, ..Options::default() };
        if probed.run_observed(&named.case, &options, &mut lanes).is_err() {
            continue;
        }
        let mut whole = None;
        for (slot, at) in survivors.iter().enumerate().filter(|(_, at)| open.contains(at)).collect::<Vec<_>>() {
            // What has no probe may compute something else anywhere.
            let lanes = match probes[slot] {
                Some(_) => &lanes.lanes[slot],
                None => &(0..2048.min(crate::cases::lanes(program, &named.case.launch) as u32)).collect(),
            };
            if lanes.is_empty() || runner.steps > settings.max_steps || !by_lane && chances[slot] == 0 {
                continue;
            }
            chances[slot] -= u32::from(!by_lane);
            fates[*at].1 = Fate::Survived(true);
            let Some(mutant) = runner.plan(&fates[*at].0) else { continue };
            let noticed = if !by_lane {
                if whole.is_none() {
                    whole = Some(Shown::new(original.plan, named.case.clone(), u64::MAX)?);
                }
                match &mut whole {
                    Some(shown) => runner.notices(&mutant, shown)?,
                    None => false,
                }
            } else {
                let part = slice(program, &named.case, lanes);
                if named.class == CaseClass::Finite || original.search == Some(true) {
                    near.entry(*at).or_insert_with(|| Start { case: part.clone(), class: named.class });
                }
                runner.notices(&mutant, &mut Shown::new(original.plan, part, u64::MAX)?)?
            };
            if noticed {
                fates[*at].1 = Fate::Noticed;
                open.retain(|other| other != at);
            }
        }
    }
    Ok(near)
}

/// Looks near the cases where mutants compute something else, and nothing comes of it, for some where something does. Gives those that showed any.
fn pursue(
    original: &Original<'_>,
    runner: &mut Runner<'_>,
    settings: &AdequacySettings,
    fates: &mut [(Mutant, Fate)],
    near: &BTreeMap<usize, Start>,
) -> Result<Vec<Start>, RunError> {
    let mut useful: Vec<Start> = Vec::new();
    let Some(edges) = original.search.filter(|_| settings.rounds > 0) else { return Ok(useful) };
    let mut vary = Vary::new(original.program, Random::stream(original.seed, "pursue", 0), edges);
    let starts: Vec<&Start> = original.small.iter().filter(|start| edges || start.class == CaseClass::Finite).collect();
    let most = runner.steps.saturating_add(settings.max_steps / 8).min(settings.max_steps);
    for at in 0..fates.len() {
        if fates[at].1 != Fate::Survived(true) {
            continue;
        }
        let Some(plan) = runner.plan(&fates[at].0) else { continue };
        for round in 0..settings.rounds {
            if runner.steps > most {
                return Ok(useful);
            }
            let Some(start) = near.get(&at).or_else(|| starts.get(round % starts.len().max(1)).copied()) else { break };
            let next = vary.near(start, &original.small);
            let Ok(mut shown) = Shown::new(original.plan, next.case.clone(), 5_000_000) else { continue };
            runner.steps = runner.steps.saturating_add(shown.outcome.effort);
            if !runner.notices(&plan, &mut shown)? {
                continue;
            }
            fates[at].1 = Fate::Noticed;
            for (mutant, fate) in fates.iter_mut().skip(at + 1).filter(|(_, fate)| *fate == Fate::Survived(true)) {
                if let Some(plan) = runner.plan(mutant)
                    && runner.notices(&plan, &mut shown)?
                {
                    *fate = Fate::Noticed;
                }
            }
            useful.push(next);
            break;
        }
    }
    Ok(useful)
}

/// What a comparison compares of the original, bound to itself.
fn itself(binding: &Binding) -> Binding {
    let mut own = Binding::default();
    for output in &binding.outputs {
        if own.outputs.iter().all(|known| known.original != output.original) {
            own.outputs.push(Carried { port: output.original, convert: Convert::Same, ..*output });
        }
    }
    for joined in &binding.resources {
        let transfer = match &joined.transfer {
            Transfer::Bytes(runs) => Transfer::Bytes(runs.iter().map(own_run).collect()),
            Transfer::Whole | Transfer::Texels(_) => Transfer::Whole,
        };
        own.resources.push(Joined { original: joined.original, port: joined.original, transfer });
    }
    own.counters = binding.counters.iter().map(|(counter, _)| (*counter, *counter)).collect();
    own
}

fn own_run(run: &Run) -> Run {
    let repeat = run.repeat.iter().map(|repeat| Repeat { port: repeat.original, ..*repeat }).collect();
    Run { port: run.original, repeat, ..run.clone() }
}

/// At most so many of the mutants, chosen by the seed, in their order.
fn sample(mutants: Vec<Mutant>, most: usize, seed: u64) -> Vec<Mutant> {
    if mutants.len() <= most {
        return mutants;
    }
    let mut random = Random::stream(seed, "mutants", 0);
    let mut keys: Vec<(u64, usize)> = (0..mutants.len()).map(|at| (random.bits(), at)).collect();
    keys.sort_unstable();
    let chosen: BTreeSet<usize> = keys[..most].iter().map(|key| key.1).collect();
    mutants.into_iter().enumerate().filter(|(at, _)| chosen.contains(at)).map(|(_, mutant)| mutant).collect()
}

fn tally(program: &Program, of: u32, fates: &[(Mutant, Fate)]) -> Mutants {
    let mut found = Mutants { of, ..Mutants::default() };
    for kind in MutantKind::ALL {
        let mut tally = MutantTally { kind, made: 0, noticed: 0, equivalent: 0, survived: 0 };
        for (_, fate) in fates.iter().filter(|(mutant, _)| mutant.kind == kind) {
            tally.made += 1;
            match fate {
                Fate::Noticed => tally.noticed += 1,
                Fate::Equivalent => tally.equivalent += 1,
                Fate::Survived(_) => tally.survived += 1,
            }
        }
        if tally.made > 0 {
            found.kinds.push(tally);
        }
    }
    for (mutant, fate) in fates {
        if let Fate::Survived(infected) = fate {
            let (line, text) = place(program, mutant.origin);
            let (kind, change, component) = (mutant.kind, mutant.change.clone(), mutant.origin.component);
            found.survivors.push(Survivor { kind, line, component, text, change, infected: *infected });
        }
    }
    found.survivors.sort_by_key(|survivor| (survivor.line, survivor.kind));
    found
}
