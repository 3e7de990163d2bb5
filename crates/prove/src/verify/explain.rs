//! Which differences are allowed.

use super::job::{Job, Recipe, Worst};
use super::{Progress, ProveError, Settings, Side};
use crate::cases::{CaseClass, Generator, NamedCase};
use crate::compare::{Difference, Place, Verdict, compare, ulps};
use crate::evidence::FirstDifference;
use crate::explain::{Explainer, Explanation, Reached, Refactored, Tallies, Tally};
use crate::locate::CasePair;
use gpuproof_run::{Case, Observer, Options, RunError};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

/// How often a case is looked at for what its difference comes from.
const MOST_SEARCHES: usize = 24;
/// How many cases may be looked at in vain.
const MOST_IN_VAIN: usize = 4;
/// How often a search begins anew.
const MOST_ANEW: usize = 6;

/// The words of a case that differ, until it is known whether they may.
pub(super) struct Pending {
    pub(super) number: u32,
    pub(super) recipe: Recipe,
    pub(super) class: CaseClass,
    pub(super) differences: Vec<Difference>,
    /// For each its verdict so far.
    pub(super) verdicts: Vec<Verdict>,
    /// Words that differ and are undefined or depend on an order: they may differ still when others agree.
    open: HashSet<Place>,
    /// The places where the last run differs, of the last search that accounted for something, and the rules that it took.
    left: HashSet<Place>,
    rules: Range<usize>,
    /// What the rules came to on lanes whose outputs are accounted for by a run that keeps to what is promised.
    tallies: Vec<Tally>,
    counted: HashSet<u32>,
    /// What they came to on others, for which a later run may account.
    later: BTreeMap<u32, Vec<(usize, Tally)>>,
    /// Whether the port made more than is kept.
    cut: bool,
    /// Whether nothing more was found.
    stuck: bool,
    /// Whether a search began anew with it.
    anew: bool,
    /// How many rules there were when it was judged.
    judged: usize,
}

/// Adds what rules came to.
fn add(sums: &mut Vec<Tally>, tallies: &[(usize, Tally)]) {
    for (rule, tally) in tallies {
        if sums.len() <= *rule {
            sums.resize(rule + 1, Tally::default());
        }
        sums[*rule].add(tally);
    }
}

impl Pending {
    pub(super) fn new(
        number: u32,
        recipe: Recipe,
        class: CaseClass,
        differences: Vec<Difference>,
        open: HashSet<Place>,
    ) -> Pending {
        let verdicts = vec![Verdict::Different; differences.len()];
        let (tallies, counted, later) = (Vec::new(), HashSet::new(), BTreeMap::new());
        let (cut, stuck, anew, judged) = (false, false, false, 0);
        Pending {
            left: HashSet::new(),
            rules: 0..0,
            number,
            recipe,
            class,
            differences,
            verdicts,
            open,
            tallies,
            counted,
            later,
            cut,
            stuck,
            anew,
            judged,
        }
    }

    /// The same words before anything is known of them: those of lanes with words that differ still, and of memory.
    pub(super) fn again(&self) -> Pending {
        let open: HashSet<Option<u32>> = self.of(Verdict::Different).iter().map(|difference| difference.place.lane()).collect();
        let is_wanted = |difference: &&Difference| difference.place.lane().is_none() || open.contains(&difference.place.lane());
        let differences = self.differences.iter().filter(is_wanted).copied().collect();
        Pending::new(self.number, self.recipe.clone(), self.class, differences, self.open.clone())
    }

    /// Takes over what a run of the original says whose words differ from the port's at the places of `left`.
    ///
    /// The words of a lane are accounted for by one run: a run counts for a lane where it leaves no word of it to differ that agreed, or that an earlier run
    /// accounted for. Words of memory have no lane: a run accounts for them one by one, if it makes none of them differ that did not. Gives whether it
    /// accounts for more.
    fn take(&mut self, left: &HashSet<Place>, verdict: Verdict, tallies: &Tallies) -> bool {
        let known: HashMap<Place, Verdict> =
            self.differences.iter().zip(&self.verdicts).map(|(difference, verdict)| (difference.place, *verdict)).collect();
        let is_lost = |place: &&Place| match known.get(place) {
            None => !self.open.contains(place),
            Some(Verdict::Allowed) => place.lane().is_some(),
            Some(Verdict::Unspecified) => place.lane().is_some() && verdict == Verdict::Unspecified,
            Some(_) => false,
        };
        let bad: HashSet<Option<u32>> = left.iter().filter(is_lost).map(|place| place.lane()).collect();
        let mut lanes: BTreeSet<Option<u32>> = BTreeSet::new();
        for (difference, known) in self.differences.iter().zip(&mut self.verdicts) {
            let place = difference.place;
            let better = matches!((*known, verdict), (Verdict::Different, _) | (Verdict::Unspecified, Verdict::Allowed));
            if better && !left.contains(&place) && !bad.contains(&place.lane()) {
                *known = verdict;
                lanes.insert(place.lane());
            }
        }
        let all = |lane: u32| -> Vec<(usize, Tally)> { tallies.of_lane(lane).map(|(rule, tally)| (rule, *tally)).collect() };
        for lane in lanes.iter().flatten() {
            if verdict == Verdict::Unspecified {
                self.later.insert(*lane, all(*lane));
            } else if self.counted.insert(*lane) {
                self.later.remove(lane);
                add(&mut self.tallies, &all(*lane));
            }
        }
        // Of memory every lane may have made something.
        if lanes.contains(&None) {
            let others = tallies.lanes().into_iter().filter(|lane| !self.counted.contains(lane));
            self.later.extend(others.map(|lane| (lane, all(lane))));
        }
        !lanes.is_empty()
    }

    /// The quads of lanes with words that are not shown to be allowed; the last may reach past the end.
    fn unaccounted(&self) -> impl Iterator<Item = u32> + use<> {
        let open = self.words().filter(|(_, verdict)| *verdict != Verdict::Allowed);
        let quads: BTreeSet<u32> = open.filter_map(|(difference, _)| Some(difference.place.lane()? / 4)).collect();
        quads.into_iter().flat_map(|quad| quad * 4..quad * 4 + 4)
    }

    /// What the rules came to in the runs that account for words, each lane in one of them.
    pub(super) fn sum(&self, into: &mut Vec<Tally>) {
        let all: Vec<(usize, Tally)> = self.tallies.iter().copied().enumerate().collect();
        add(into, &all);
        self.later.values().for_each(|of_lane| add(into, of_lane));
    }

    pub(super) fn is_open(&self) -> bool {
        self.verdicts.contains(&Verdict::Different)
    }

    pub(super) fn words(&self) -> impl Iterator<Item = (&Difference, Verdict)> {
        self.differences.iter().zip(self.verdicts.iter().copied())
    }

    pub(super) fn of(&self, wanted: Verdict) -> Vec<Difference> {
        self.words().filter(|(_, verdict)| *verdict == wanted).map(|(difference, _)| *difference).collect()
    }
}

impl Job<'_> {
    fn pending_case(&self, pending: &Pending, generator: &mut Generator<'_>, settings: &Settings) -> NamedCase {
        match &settings.replay {
            Some(replay) => replay.clone(),
            None => pending.recipe.generate(generator),
        }
    }

    /// Steps that a run of a case may take that is looked at closely.
    pub(super) fn close_look(&self, number: u32, port: bool) -> Options {
        let options = self.options(if port { Side::Port } else { Side::Original });
        let steps = self.compared.get(&number).map_or(0, |compared| compared.1[0].max(compared.1[1]));
        Options { max_steps: steps.saturating_mul(8).saturating_add(1_000_000), races: false, ..options }
    }

    /// Finds out which of the words that differ may, counts them anew, and says what they come from, and what others would come to if the original could be
    /// refactored. What is left to be located is kept.
    pub(super) fn explain(
        &mut self,
        explainer: &mut Explainer<'_>,
        generator: &mut Generator<'_>,
        settings: &Settings,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(Option<Explanation>, Option<Refactored>), ProveError> {
        let mut pending = std::mem::take(&mut self.pending);
        if pending.is_empty() {
            return Ok((None, None));
        }
        let mut refactored = None;
        if settings.explain && self.measured.is_none() && self.given.is_none() {
            progress(Progress::Explaining);
            self.search(&mut pending, explainer, generator, settings)?;
            refactored = self.refactored(&pending, generator, settings)?;
        }
        let explanation = self.describe(&pending, explainer, generator, settings)?;
        self.count_explained(&pending);
        Ok((explanation, refactored))
    }

    pub(super) fn search(
        &mut self,
        pending: &mut [Pending],
        explainer: &mut Explainer<'_>,
        generator: &mut Generator<'_>,
        settings: &Settings,
    ) -> Result<(), ProveError> {
        let (mut in_vain, mut searches) = (0, 0);
        while searches < MOST_SEARCHES {
            let open = |pending: &Pending| pending.verdicts.iter().filter(|verdict| **verdict == Verdict::Different).count();
            let rank = |at: &usize| (pending[*at].class == CaseClass::Finite, open(&pending[*at]));
            let Some(at) = (0..pending.len()).filter(|at| !pending[*at].stuck && open(&pending[*at]) > 0).max_by_key(rank) else {
                break;
            };
            let case = self.pending_case(&pending[at], generator, settings);
            let mut new = false;
            while searches < MOST_SEARCHES && open(&pending[at]) > 0 {
                searches += 1;
                match self.learn_and_judge(&case, &mut pending[at], explainer) {
                    Ok(Some(_)) => new = true,
                    Ok(None) => break,
                    Err(ProveError::Run { error: error @ RunError::StepLimit { .. }, .. }) => {
                        explainer.stopped = Some(error.to_string());
                        break;
                    }
                    Err(error) => return Err(error),
                }
            }
            pending[at].stuck = true;
            if !new {
                in_vain += 1;
                if in_vain == MOST_IN_VAIN {
                    if pending.iter().any(|pending| !pending.stuck && open(pending) > 0) {
                        explainer
                            .stopped
                            .get_or_insert_with(|| format!("{in_vain} cases were searched in vain, the others were not"));
                    }
                    break;
                }
                continue;
            }
            self.judge_all(pending, explainer, generator, settings, false)?;
        }
        if searches == MOST_SEARCHES && pending.iter().any(Pending::is_open) {
            explainer.stopped.get_or_insert_with(|| format!("the search was given up after {searches} rounds"));
        }
        self.judge_all(pending, explainer, generator, settings, true)?;
        self.search_anew(pending, explainer, generator, settings)?;
        if pending.iter().any(|pending| pending.cut && pending.is_open()) {
            explainer.stopped.get_or_insert_with(|| "the port computes more values than are kept".into());
        }
        Ok(())
    }

    /// Searches cases that nothing accounts for wholly from the beginning: rules that fit the lanes of others may keep the right ones from being found.
    fn search_anew(
        &mut self,
        pending: &mut [Pending],
        explainer: &mut Explainer<'_>,
        generator: &mut Generator<'_>,
        settings: &Settings,
    ) -> Result<(), ProveError> {
        for _ in 0..MOST_ANEW {
            if explainer.rules.is_empty() {
                break;
            }
            let open = |pending: &Pending| pending.verdicts.iter().filter(|verdict| **verdict == Verdict::Different).count();
            let rank = |at: &usize| (pending[*at].class == CaseClass::Finite, open(&pending[*at]));
            let Some(at) = (0..pending.len()).filter(|at| !pending[*at].anew && open(&pending[*at]) > 0).max_by_key(rank) else {
                break;
            };
            let before = explainer.active();
            explainer.begin_anew();
            let case = self.pending_case(&pending[at], generator, settings);
            let mut more = false;
            loop {
                match self.learn_and_judge(&case, &mut pending[at], explainer) {
                    Ok(Some(true)) if pending[at].is_open() => more = true,
                    Ok(Some(found)) => {
                        more |= found;
                        break;
                    }
                    Ok(None) => break,
                    Err(ProveError::Run { error: error @ RunError::StepLimit { .. }, .. }) => {
                        explainer.stopped = Some(error.to_string());
                        break;
                    }
                    Err(error) => return Err(error),
                }
            }
            // As long as there is more to be had of it.
            pending[at].anew = !more;
            if more {
                self.judge_all(pending, explainer, generator, settings, true)?;
            } else {
                explainer.activate(before);
            }
        }
        Ok(())
    }

    /// Looks for rules on what differs in a case, and judges it by them. Gives whether that accounts for more; none where there are no more rules.
    fn learn_and_judge(
        &mut self,
        case: &NamedCase,
        pending: &mut Pending,
        explainer: &mut Explainer<'_>,
    ) -> Result<Option<bool>, ProveError> {
        if !self.learn(case, &pending.of(Verdict::Different), explainer)? {
            return Ok(None);
        }
        let judged = self.judge(case, pending, explainer);
        judged.map(Some).map_err(|error| ProveError::Run { side: Side::Original, error })
    }

    /// Judges what was not judged by all rules yet; cases of which nothing more is to be learned only at the end.
    fn judge_all(
        &mut self,
        pending: &mut [Pending],
        explainer: &mut Explainer<'_>,
        generator: &mut Generator<'_>,
        settings: &Settings,
        at_end: bool,
    ) -> Result<(), ProveError> {
        for pending in pending {
            if !pending.is_open() || pending.judged == explainer.rules.len() || pending.stuck && !at_end {
                continue;
            }
            let case = self.pending_case(pending, generator, settings);
            match self.judge(&case, pending, explainer) {
                Ok(_) => {}
                Err(error @ RunError::StepLimit { .. }) => {
                    explainer.stopped = Some(error.to_string());
                    pending.stuck = true;
                }
                Err(error) => return Err(ProveError::Run { side: Side::Original, error }),
            }
        }
        Ok(())
    }

    fn learn(&self, named: &NamedCase, differences: &[Difference], explainer: &mut Explainer<'_>) -> Result<bool, ProveError> {
        let [options, port_options] = [false, true].map(|port| self.close_look(named.number, port));
        let failed = std::cell::Cell::new(Side::Original);
        let mut run = |port: bool, case: &Case, observer: &mut dyn Observer| {
            failed.set(if port { Side::Port } else { Side::Original });
            let plan = if port { &self.plans.1 } else { &self.plans.0 };
            plan.run_observed(case, if port { &port_options } else { &options }, observer).map(|_| ())
        };
        let port_case = self.binding.translate(self.original, self.port, &named.case);
        let pair = CasePair { number: named.number, original: &named.case, port: &port_case };
        let learned = explainer.learn(&pair, differences, &options, &mut run);
        learned.map_err(|error| ProveError::Run { side: failed.get(), error })
    }

    /// Gives the words of a case that differ their verdicts, by running the original with the port's results put in. Gives whether that accounts for more.
    fn judge(&self, named: &NamedCase, pending: &mut Pending, explainer: &Explainer<'_>) -> Result<bool, RunError> {
        pending.judged = explainer.rules.len();
        let [options, port_options] = [false, true].map(|port| self.close_look(named.number, port));
        let port_case = self.binding.translate(self.original, self.port, &named.case);
        let mut pair = CasePair { number: named.number, original: &named.case, port: &port_case };
        // The lanes that nothing accounts for yet are enough where lanes are apart.
        let count = crate::cases::lanes(self.original, &named.case.launch);
        let lanes: Vec<u32> = pending.unaccounted().filter(|lane| u64::from(*lane) < count).collect();
        let cut = explainer.cut(&pair, &lanes);
        if let Some((original, port)) = &cut {
            pair = CasePair { number: named.number, original, port };
        }
        let name = |lane: u32| if cut.is_some() { lanes[lane as usize] } else { lane };
        let (captured, port_outcome) = explainer.capture(&self.plans.1, &pair, &port_options)?;
        pending.cut = captured.cut;
        let mut any = false;
        for (unbounded, verdict) in [(false, Verdict::Allowed), (true, Verdict::Unspecified)] {
            let (outcome, tallies) = explainer.substituted(pair.original, &captured, unbounded, &options, None)?;
            let (cases, outcomes) = ((pair.original, pair.port), (&outcome, &port_outcome));
            let comparison = compare(self.original, self.port, self.binding, cases, outcomes, &mut |_| {});
            let left: HashSet<Place> = comparison.differences.iter().map(|difference| difference.place.on(name)).collect();
            let left_open = tallies.left_open;
            let more = pending.take(&left, verdict, &if cut.is_some() { tallies.renamed(&lanes) } else { tallies });
            any |= more;
            if any || pending.rules.start == explainer.active().start {
                (pending.left, pending.rules) = (left, explainer.active());
            }
            if unbounded || !pending.is_open() || !left_open {
                break;
            }
        }
        Ok(any)
    }

    /// What words that are allowed or unspecified come from.
    fn describe(
        &self,
        pending: &[Pending],
        explainer: &mut Explainer<'_>,
        generator: &mut Generator<'_>,
        settings: &Settings,
    ) -> Result<Option<Explanation>, ProveError> {
        let mut outputs: BTreeMap<String, Reached> = BTreeMap::new();
        for (difference, verdict) in pending.iter().flat_map(Pending::words) {
            if !matches!(verdict, Verdict::Allowed | Verdict::Unspecified) {
                continue;
            }
            let name = difference.place.output(self.original, self.binding);
            let reached = outputs.entry(name.clone()).or_insert_with(|| Reached { name, ..Reached::default() });
            if verdict == Verdict::Unspecified {
                reached.unspecified += 1;
                continue;
            }
            reached.allowed += 1;
            if let Some(ulps) = ulps(difference.original, difference.port).filter(|_| difference.float) {
                let value = |bits: u32| f64::from(f32::from_bits(bits));
                reached.ulps = reached.ulps.max(ulps);
                reached.absolute = reached.absolute.max((value(difference.original) - value(difference.port)).abs());
            }
        }
        // Where nothing is left nothing was missed.
        let stopped = explainer.stopped.clone().filter(|_| pending.iter().any(Pending::is_open));
        if outputs.is_empty() && stopped.is_none() {
            return Ok(None);
        }
        let mut tallies = Vec::new();
        pending.iter().for_each(|case| case.sum(&mut tallies));
        let mut explanation = Explanation {
            operations: explainer.carriers(&tallies),
            outputs: outputs.into_values().collect(),
            amplifiers: Vec::new(),
            stopped,
        };
        // Of the case with the largest share of such words.
        let count = |case: &&Pending| case.of(Verdict::Allowed).len();
        if let Some(case) =
            pending.iter().filter(|case| count(case) > 0).max_by_key(|case| (case.class == CaseClass::Finite, count(case)))
        {
            let named = self.pending_case(case, generator, settings);
            let mut allowed = case.of(Verdict::Allowed);
            // The words that came farthest.
            allowed.sort_by_key(|difference| std::cmp::Reverse(ulps(difference.original, difference.port)));
            allowed.truncate(64);
            let [options, port_options] = [false, true].map(|port| self.close_look(named.number, port));
            let port_case = self.binding.translate(self.original, self.port, &named.case);
            let pair = CasePair { number: named.number, original: &named.case, port: &port_case };
            let mut run = |port: bool, case: &Case, observer: &mut dyn Observer| {
                let plan = if port { &self.plans.1 } else { &self.plans.0 };
                plan.run_observed(case, if port { &port_options } else { &options }, observer).map(|_| ())
            };
            explainer.activate(case.rules.clone());
            match explainer.amplifiers(&pair, &allowed, &self.plans.1, [&options, &port_options], &mut run) {
                Ok(amplifiers) => explanation.amplifiers = amplifiers,
                Err(RunError::StepLimit { .. }) => {}
                Err(error) => return Err(ProveError::Run { side: Side::Original, error }),
            }
        }
        Ok(Some(explanation))
    }

    /// Counts words by their verdicts, and keeps the first and what is to be located.
    fn count_explained(&mut self, pending: &[Pending]) {
        for case in pending {
            let record = self.records.iter().position(|record| record.number == case.number);
            for (difference, verdict) in case.words() {
                let output = difference.place.output(self.original, self.binding);
                self.count_distance(case.class, &output, difference, verdict);
                if verdict == Verdict::Different {
                    continue;
                }
                self.census.explain(case.class, &output, verdict);
                if let Some(at) = record {
                    self.records[at].different = self.records[at].different.saturating_sub(1);
                }
                if let Some(painter) = &mut self.painter {
                    painter.repaint(case.number, difference, verdict);
                }
            }
            let mut different = case.of(Verdict::Different);
            // Where the programs part something is left that nothing excuses.
            if different.iter().any(|difference| case.left.contains(&difference.place)) {
                different.retain(|difference| case.left.contains(&difference.place));
            }
            if !different.is_empty() {
                let (recipe, rules) = (case.recipe.clone(), case.rules.clone());
                let worst = Worst { recipe, class: case.class, differences: different, rules };
                if self.worst.as_ref().is_none_or(|known| worst.rank() > known.rank()) {
                    self.worst = Some(worst);
                }
            }
        }
        for wanted in [Verdict::Different, Verdict::Unspecified, Verdict::Allowed] {
            let first = pending.iter().find_map(|case| {
                let difference = case.words().find(|(_, verdict)| *verdict == wanted)?.0;
                Some((case, *difference))
            });
            if let Some((case, difference)) = first {
                self.keep_first(case.number, case.recipe.clone(), &difference, wanted);
            }
        }
    }
}

impl Job<'_> {
    /// Keeps a word as the first, unless one is known that says more.
    pub(super) fn keep_first(&mut self, case: u32, recipe: Recipe, difference: &Difference, verdict: Verdict) {
        let says = |verdict: Verdict| match verdict {
            Verdict::Different => 2,
            Verdict::Unspecified => 1,
            _ => 0,
        };
        if self.first.as_ref().is_none_or(|(known, _)| (says(verdict), known.case) > (says(known.verdict), case)) {
            let first = FirstDifference {
                case,
                lane: difference.place.lane(),
                output: difference.place.name(self.original, self.binding),
                original: difference.original,
                port: difference.port,
                verdict,
            };
            self.first = Some((first, recipe));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpuproof_program::OutputId;

    fn word(lane: u32, component: u8) -> Difference {
        let place = Place::Output { lane, original: (OutputId(0), component), port: (OutputId(0), component) };
        let (original, port) = (0, 1);
        Difference { place, original, port, float: true, number: true, written: true, port_written: true }
    }

    fn pending(words: &[Difference], open: &[Difference]) -> Pending {
        let open = open.iter().map(|word| word.place).collect();
        Pending::new(0, Recipe::Generated { number: 0, lanes: 1 }, CaseClass::Finite, words.to_vec(), open)
    }

    fn left(words: &[Difference]) -> HashSet<Place> {
        words.iter().map(|word| word.place).collect()
    }

    #[test]
    fn the_words_of_a_lane_are_accounted_for_together() {
        use Verdict::{Allowed, Different, Unspecified};
        let (x, y, z, other) = (word(0, 0), word(0, 1), word(0, 2), word(1, 0));
        let mut case = pending(&[x, y, other], &[]);
        // Of one lane a word that was the same is so no more.
        case.take(&left(&[y, z]), Allowed, &Tallies::default());
        assert_eq!(case.verdicts, [Different, Different, Allowed]);
        // y alone is left.
        case.take(&left(&[y]), Allowed, &Tallies::default());
        assert_eq!(case.verdicts, [Allowed, Different, Allowed]);
        // A run that accounts for y and no longer for x.
        case.take(&left(&[x]), Allowed, &Tallies::default());
        assert_eq!(case.verdicts, [Allowed, Different, Allowed]);
        case.take(&left(&[]), Unspecified, &Tallies::default());
        assert_eq!(case.verdicts, [Allowed, Unspecified, Allowed]);
        case.take(&left(&[]), Allowed, &Tallies::default());
        assert_eq!(case.verdicts, [Allowed, Allowed, Allowed]);
        // What is undefined, or depends on an order, may differ.
        let mut case = pending(&[x], &[z]);
        case.take(&left(&[z]), Allowed, &Tallies::default());
        assert_eq!(case.verdicts, [Allowed]);
    }
}
