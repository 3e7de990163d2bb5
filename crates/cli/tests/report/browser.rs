//! A Chromium without a window, driven over its debugging protocol on a pair of pipes.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// What Debian and others call it.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// A browser with one page.
pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    profile: std::path::PathBuf,
    session: Value,
    next: u64,
    /// What went wrong on the page: exceptions, errors of the console, anything that it loaded from elsewhere.
    pub complaints: Vec<String>,
}

impl Browser {
    /// Starts a browser with an empty page.
    pub fn start() -> Browser {
        let name = std::env::var("CHROMIUM").ok().or_else(|| {
            let paths = std::env::var_os("PATH")?;
            let found = |name: &&&str| std::env::split_paths(&paths).any(|path| path.join(**name).is_file());
            NAMES.iter().find(found).map(|name| name.to_string())
        });
        let Some(name) = name else {
            panic!(
                "the page is tested in Chromium, and there is none: install it (`./test` does; `apt-get install chromium`), or name it in CHROMIUM"
            )
        };
        // Two browsers cannot share a profile.
        static STARTED: AtomicU32 = AtomicU32::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let profile = std::env::temp_dir().join(format!("gpuproof-chromium-{}-{number}", std::process::id()));
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", &name])
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let (to, from) = (child.stdin.take().expect("a pipe"), BufReader::new(child.stdout.take().expect("a pipe")));
        let mut browser = Browser { child, to, from, profile, session: Value::Null, next: 0, complaints: Vec::new() };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        browser.session = attached["sessionId"].clone();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Calls a method of the protocol.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": parameters });
        if self.session != Value::Null {
            message["sessionId"] = self.session.clone();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).expect("the browser listens");
        loop {
            let mut message = Vec::new();
            self.from.read_until(0, &mut message).expect("the browser answers");
            assert_eq!(message.pop(), Some(0), "the browser ended during {method}");
            let message: Value = serde_json::from_slice(&message).expect("JSON from the browser");
            if message["id"] == json!(self.next) {
                assert!(message.get("error").is_none(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.notice(&message);
        }
    }

    fn notice(&mut self, message: &Value) {
        let parameters = &message["params"];
        let complaint = match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Log.entryAdded") => parameters["entry"]["level"] == "error",
            Some("Runtime.consoleAPICalled") => ["error", "assert", "warning"].iter().any(|kind| parameters["type"] == *kind),
            Some("Network.requestWillBeSent") => {
                let url = parameters["request"]["url"].as_str().unwrap_or_default();
                !["file:", "data:", "blob:"].iter().any(|scheme| url.starts_with(scheme))
            }
            _ => false,
        };
        if complaint {
            self.complaints.push(parameters.to_string());
        }
    }

    /// The value of an expression on the page; promises are waited for.
    pub fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", parameters);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Opens a file and waits until its script has run.
    pub fn open(&mut self, file: &std::path::Path) {
        self.call("Page.navigate", json!({ "url": format!("file://{}", file.display()) }));
        self.wait("document.readyState === 'complete' && location.protocol === 'file:'");
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, expression: &str) {
        let until = Instant::now() + Duration::from_secs(20);
        while self.value(expression) != json!(true) {
            assert!(Instant::now() < until, "never true: {expression}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The size of the window in CSS pixels, and whether the system is dark.
    pub fn look(&mut self, width: u32, dark: bool) {
        let metrics = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        let features = json!([
            { "name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" } },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Clicks with the mouse on the middle of the element that an expression gives, which has to be what lies there.
    pub fn click(&mut self, element: &str) {
        let place = self.value(&format!(
            "(() => {{ const e = {element}; e.scrollIntoView({{ block: 'center', behavior: 'instant' }}); const b = e.getClientRects()[0]; \
             const [x, y] = [b.x + b.width / 2, b.y + b.height / 2]; const there = document.elementFromPoint(x, y); \
             return {{ x, y, hit: e === there || e.contains(there) }} }})()"
        ));
        assert_eq!(place["hit"], json!(true), "{element} is covered");
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let count = u32::from(kind != "mouseMoved");
            let event = json!({ "type": kind, "x": place["x"], "y": place["y"], "button": "left", "clickCount": count });
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Presses a key.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            other => panic!("the code of {other}"),
        };
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code }));
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
