//! The page of `verify --report` in a real browser: it loads without complaint and from itself alone, its links and filters work, its numbers are those of
//! `--json`, and its commands replay what it says.

mod browser;

use browser::Browser;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// A scratch folder that goes when it is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("gpuproof-report-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a scratch folder");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs a command line of gpuproof in the repository's root; what it prints as JSON.
fn run(words: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_gpuproof")).args(words).current_dir(root()).output().expect("it runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{words:?}: {error}: {errors}"))
}

/// Makes a page and gives its file and the Evidence that was printed with it.
fn page(scratch: &Scratch, name: &str, words: &[&str]) -> (PathBuf, Value) {
    let file = scratch.0.join(format!("{name}.html"));
    let words: Vec<&str> = ["verify"].into_iter().chain(words.iter().copied()).collect();
    let report = file.to_str().expect("a path").to_string();
    let evidence = run(&[&words[..], &["--json", "--report", &report]].concat());
    (file, evidence)
}

/// Every number on the page is the sum of the numbers of the JSON that it names.
fn numbers_are_the_jsons(browser: &mut Browser, evidence: &Value, name: &str) -> usize {
    assert_eq!(
        browser.value("JSON.parse(document.getElementById('evidence').textContent)"),
        *evidence,
        "{name}: the JSON inside"
    );
    let shown = browser
        .value("[...document.querySelectorAll('data')].map((e) => [e.dataset.from, e.value, e.textContent.replaceAll(',', '')])");
    let shown = shown.as_array().expect("a list");
    for number in shown {
        let pointers = number[0].as_str().expect("where a number comes from");
        let at = |pointer: &str| {
            evidence.pointer(pointer).and_then(Value::as_u64).unwrap_or_else(|| panic!("{name}: nothing at {pointer}"))
        };
        let sum: u64 = pointers.split(' ').map(at).sum();
        assert_eq!((&number[1], &number[2]), (&json!(sum.to_string()), &json!(sum.to_string())), "{name}: {pointers}");
    }
    shown.len()
}

/// All words of the census by output and verdict, those of both classes together.
fn census(evidence: &Value) -> BTreeMap<(String, String), u64> {
    let mut counts = BTreeMap::new();
    for output in evidence["census"]["outputs"].as_array().expect("outputs") {
        for class in ["finite", "edge"] {
            for (verdict, count) in output[class].as_object().expect("a tally").iter().filter(|entry| entry.0 != "reordered") {
                let key = (output["name"].as_str().expect("a name").to_string(), verdict.clone());
                *counts.entry(key).or_default() += count.as_u64().expect("a count");
            }
        }
    }
    counts.retain(|_, count| *count > 0);
    counts
}

/// What the legends of all pictures count, by output and verdict.
const PICTURED: &str = "(() => { const counts = {}, pick = (id, value) => { const s = document.getElementById(id); s.value = value; s.dispatchEvent(new Event('change')) }; \
    const values = (id) => [...document.getElementById(id).options].map((o) => o.value); \
    for (const one of values('picture-case')) { pick('picture-case', one); for (const plane of values('picture-plane')) { if (plane === 'where they part' || plane.endsWith(' by lane')) continue; \
    pick('picture-plane', plane); for (const e of document.querySelectorAll('#picture-legend [data-count]')) { \
    const key = JSON.stringify([plane.replace(/(\\[\\d+\\])?( level \\d+)?$/, ''), e.dataset.verdict]); counts[key] = (counts[key] ?? 0) + Number(e.dataset.count) } } } return counts })()";

/// The cells of the pictures are the words of the census.
fn pictures_show_the_census(browser: &mut Browser, evidence: &Value, name: &str) {
    let pictured = browser.value(PICTURED);
    let mut counts = BTreeMap::new();
    for (key, count) in pictured.as_object().expect("counts") {
        let (output, verdict): (String, String) = serde_json::from_str(key).expect("a key");
        counts.insert((output, verdict), count.as_u64().expect("a count"));
    }
    assert_eq!(counts, census(evidence), "{name}: the pictures and the census");
}

#[test]
fn pages_load_alone_and_show_the_numbers_of_the_json() {
    let scratch = Scratch::new("numbers");
    // A port whose text tries to end the elements that it stands in, and a name that is markup.
    let hostile = scratch.0.join("<b>&amp;\"port'.wgsl");
    let port = std::fs::read_to_string(root().join("examples/noise/port-wrong.wgsl")).expect("the example");
    let comment = "// </script><script>console.error('out')</script></code></li><!-- <img src=x onerror=console.error('out')>";
    std::fs::write(&hostile, format!("{comment}\n{port}")).expect("written");
    let pages = [
        ("pixel", vec!["examples/noise/original.dxbc", hostile.to_str().expect("a path"), "--lanes", "2048"]),
        ("same", vec!["examples/noise/original.dxbc", "examples/noise/port.wgsl", "--lanes", "2048"]),
        ("compute", vec!["examples/bitonic/original.dxbc", "examples/bitonic/port-wrong.wgsl", "--lanes", "4096"]),
        ("buffers", vec!["examples/particles/original.dxbc", "examples/particles/port-wrong.wgsl", "--lanes", "4096"]),
        ("one", vec!["examples/ssao/original.dxbc", "examples/ssao/port-wrong.wgsl", "--lanes", "1024", "--only-case", "3"]),
    ];
    let mut browser = Browser::start();
    for (name, words) in pages {
        let (file, evidence) = page(&scratch, name, &words);
        for (width, dark) in [(1280, false), (400, true)] {
            browser.look(width, dark);
            browser.open(&file);
            assert!(numbers_are_the_jsons(&mut browser, &evidence, name) > 20, "{name}: hardly any numbers");
            let wide = browser.value("document.documentElement.scrollWidth");
            assert!(wide.as_u64().is_some_and(|wide| wide <= u64::from(width)), "{name}: {wide} pixels on {width}");
            let dead = browser.value(
                "[...document.querySelectorAll('a[href^=\"#\"]')].map((a) => a.getAttribute('href').slice(1)).filter((id) => !document.getElementById(id))",
            );
            assert_eq!(dead, json!([]), "{name}: links to nothing");
            let twice = browser.value("(() => { const ids = [...document.querySelectorAll('[id]')].map((e) => e.id); return ids.filter((id, at) => ids.indexOf(id) !== at) })()");
            assert_eq!(twice, json!([]), "{name}: ids that stand twice");
        }
        pictures_show_the_census(&mut browser, &evidence, name);
        let verdict = browser.value("document.querySelector('h1').textContent");
        assert_eq!(verdict, if name == "same" { "Same" } else { "Different" });
    }
    assert!(browser.complaints.is_empty(), "{}", browser.complaints.join("\n"));
}

#[test]
fn links_filters_keys_and_commands_work() {
    let scratch = Scratch::new("use");
    let words = ["examples/noise/original.dxbc", "examples/noise/port-wrong.wgsl", "--lanes", "2048", "--seed", "5"];
    let (file, evidence) = page(&scratch, "page", &words);
    let mut browser = Browser::start();
    browser.look(1280, false);
    browser.open(&file);

    // The links of the verdict lead to the lines that part, in sight inside their listings.
    for side in ["original", "port"] {
        let number = &evidence["parting"][side]["at"]["number"];
        browser.click(&format!("document.querySelector('.verdict a[href=\"#{side}-{number}\"]')"));
        assert_eq!(browser.value("location.hash"), json!(format!("#{side}-{number}")));
        let seen = "(() => { const l = document.querySelector(':target'), a = l.getBoundingClientRect(), b = l.parentElement.getBoundingClientRect(); \
            return l.classList.contains('parts') && a.top >= b.top && a.bottom <= b.bottom && a.top >= 0 && a.bottom <= innerHeight })()";
        browser.wait(seen);
    }
    // The joint goes from one line to the other.
    let joined = "(() => { const box = document.querySelector('.listings').getBoundingClientRect(), path = document.querySelector('#joint path'); \
        const ends = [path.getPointAtLength(0), path.getPointAtLength(path.getTotalLength())]; \
        return ['original', 'port'].every((side, at) => { const r = document.querySelector(`[id^=\"${side}-\"].parts`).getBoundingClientRect(); \
        return Math.abs((r.top + r.bottom) / 2 - box.top - ends[at].y) < 3 }) })()";
    browser.wait(joined);

    // Without the verdict that all rows have, the census is empty and no bar of it is left; with one output, only that is.
    let rows = "[...document.querySelectorAll('#census-table tbody tr')].filter((e) => e.checkVisibility()).map((e) => e.dataset.output)";
    let bars = "[...document.querySelectorAll('.chart rect')].filter((e) => e.checkVisibility()).map((e) => e.dataset.verdict)";
    let all = browser.value(rows);
    assert!(all.as_array().is_some_and(|all| all.len() >= 4), "{all}");
    assert!(browser.value(bars).as_array().is_some_and(|bars| bars.contains(&json!("different"))));
    browser.click("document.querySelector('#filters [value=different]')");
    assert!(browser.value(bars).as_array().is_some_and(|bars| !bars.contains(&json!("different"))));
    browser.click("document.querySelector('#filters [value=same]')");
    let left = census(&evidence).keys().filter(|(_, verdict)| verdict != "same" && verdict != "different").count();
    assert_eq!(browser.value(rows).as_array().map(|rows| rows.is_empty()), Some(left == 0));
    assert_eq!(browser.value("document.querySelector('#census .empty').checkVisibility()"), json!(left == 0));
    browser.click("document.querySelector('#filters [value=different]')");
    browser.click("document.querySelector('#filters [value=same]')");
    assert_eq!(browser.value(rows), all);
    browser.value("document.querySelector('#filters select').focus()");
    browser.press("ArrowDown");
    let output = browser.value("document.querySelector('#filters select').value");
    assert_eq!(
        output,
        evidence["census"]["outputs"]
            .as_array()
            .expect("outputs")
            .iter()
            .map(|output| &output["name"])
            .min_by_key(|name| name.to_string())
            .cloned()
            .expect("an output")
    );
    let chosen = browser.value(rows);
    assert!(chosen.as_array().is_some_and(|rows| !rows.is_empty() && rows.iter().all(|row| *row == output)), "{chosen}");
    browser.value("(() => { const s = document.querySelector('#filters select'); s.value = ''; s.dispatchEvent(new Event('change', { bubbles: true })) })()");

    // Only cases that differ; only finite ones.
    let cases = "[...document.querySelectorAll('#cases-table tbody tr')].filter((e) => e.checkVisibility()).map((e) => Number(e.querySelector('data').value))";
    let wanted = |keep: &dyn Fn(&Value) -> bool| -> Value {
        evidence["cases"].as_array().expect("cases").iter().filter(|case| keep(case)).map(|case| case["number"].clone()).collect()
    };
    assert_eq!(browser.value(cases), wanted(&|_| true));
    browser.click("document.querySelector('#filters [name=showing]')");
    assert_eq!(browser.value(cases), wanted(&|case| case["different"] != 0));
    browser.click("document.querySelector('#filters [value=edge]')");
    assert_eq!(browser.value(cases), wanted(&|case| case["different"] != 0 && case["class"] == "finite"));

    // The picture is read by mouse and by keys.
    let caption = "document.querySelector('#picture-detail').innerText.split('\\n')[0]";
    browser.click("document.getElementById('picture')");
    let pointed = browser.value(caption);
    browser.press("ArrowRight");
    let moved = browser.value(caption);
    assert!(pointed != moved && moved.as_str().is_some_and(|text| text.contains("lane")), "{pointed} {moved}");
    // Everything that is used can be reached by Tab.
    browser.value("(document.activeElement.blur(), scrollTo(0, 0))");
    let mut reached = Vec::new();
    for _ in 0..120 {
        browser.press("Tab");
        reached.push(
            browser.value("(({ id, name, className, tagName }) => id || name || className || tagName)(document.activeElement)"),
        );
    }
    for wanted in ["skip", "theme", "lines", "verdict", "picture-case", "picture-mode", "picture", "copy"] {
        assert!(reached.contains(&json!(wanted)), "{wanted} is not reached by Tab: {reached:?}");
    }

    // The theme changes at the button's word.
    let ground = "getComputedStyle(document.body).backgroundColor";
    let light = browser.value(ground);
    browser.click("document.getElementById('theme')");
    assert_eq!(browser.value(ground), light, "light as the system is");
    browser.click("document.getElementById('theme')");
    assert_ne!(browser.value(ground), light, "dark");

    // A case's command compares it alone and comes to the same.
    let shows =
        evidence["cases"].as_array().expect("cases").iter().find(|case| case["different"] != 0).expect("a case that differs");
    let command = browser.value(&format!("document.querySelector('#case-{} .command code').textContent", shows["number"]));
    let mut command: Vec<&str> = command.as_str().expect("a command").split(' ').skip(1).collect();
    command.push("--json");
    let again = run(&command);
    assert_eq!(again["cases"], json!([shows]));
    assert!(browser.complaints.is_empty(), "{}", browser.complaints.join("\n"));
}

#[test]
fn cases_that_a_search_added_are_replayed_too() {
    let words = ["verify", "examples/ssao/original.dxbc", "examples/ssao/port.wgsl", "--lanes", "4096", "--json"];
    let whole = run(&words);
    let added = whole["cases"].as_array().expect("cases").iter().find(|case| case["number"].as_u64() >= Some(14));
    let added = added.expect("a case that the search added: the cases of this example do not reach all that it can do");
    let number = added["number"].to_string();
    assert_eq!(run(&[&words[..], &["--only-case", &number]].concat())["cases"], json!([added]));
}

#[test]
fn a_page_that_cannot_be_written_is_refused_before_the_work() {
    for path in ["no/such/folder/page.html", "examples"] {
        let words = ["verify", "examples/noise/original.dxbc", "examples/noise/port.wgsl", "--report", path];
        let output = Command::new(env!("CARGO_BIN_EXE_gpuproof")).args(words).current_dir(root()).output().expect("it runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(path) && errors.contains("cannot be written"), "{errors}");
        assert!(output.stdout.is_empty());
    }
}
