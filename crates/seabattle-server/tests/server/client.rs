//! A server of a test's own, and players of it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use reqwest::{Client, Response, StatusCode};
use seabattle_server::{DEFAULT_RATE, NodeOptions, ServeError, Store, serve};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// What stops a server, and its end.
type Running = (oneshot::Sender<()>, JoinHandle<Result<(), ServeError>>);

pub(crate) struct Server {
    pub(crate) url: String,
    pub(crate) store: PathBuf,
    opened: Store,
    running: Option<Running>,
}

impl Server {
    /// One that allows a client to ask very often, since all clients are on one machine.
    pub(crate) async fn start() -> Self {
        Self::with_rate(DEFAULT_RATE * 100).await
    }

    pub(crate) async fn with_rate(rate: u32) -> Self {
        Self::on(Self::new_store(), rate).await
    }

    pub(crate) fn new_store() -> PathBuf {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("server-{}-{number}.db", std::process::id()))
    }

    /// One that believes a balancer.
    pub(crate) async fn behind_a_balancer() -> Self {
        Self::server(Self::new_store(), NodeOptions { rate: DEFAULT_RATE, forwarded: true, notifications: None }).await
    }

    /// One that believes a balancer, and that may be asked very often.
    pub(crate) async fn under_attack() -> Self {
        let options = NodeOptions { rate: 100 * DEFAULT_RATE, forwarded: true, notifications: None };
        Self::server(Self::new_store(), options).await
    }

    pub(crate) async fn on(store: PathBuf, rate: u32) -> Self {
        Self::server(store, NodeOptions { rate, forwarded: false, notifications: None }).await
    }

    async fn server(store: PathBuf, node: NodeOptions) -> Self {
        let opened = Store::open(store.to_str().unwrap()).await.unwrap();
        Self::with_store(store, opened, node).await
    }

    async fn with_store(store: PathBuf, opened: Store, node: NodeOptions) -> Self {
        let server = serve("127.0.0.1:0".parse().unwrap(), opened.clone(), node).await.unwrap();
        let url = format!("http://{}", server.address());
        let (stop, stopped) = oneshot::channel();
        let running = tokio::spawn(server.run_until(async { drop(stopped.await) }));
        Self { url, store, opened, running: Some((stop, running)) }
    }

    /// Stops the server, as SIGTERM does, and waits for its end.
    pub(crate) async fn stop(&mut self) {
        let (stop, running) = self.running.take().unwrap();
        stop.send(()).unwrap();
        running.await.unwrap().unwrap();
    }

    /// The server after a restart.
    pub(crate) async fn again(mut self) -> Self {
        self.stop().await;
        Self::on(self.store, DEFAULT_RATE * 100).await
    }

    /// Another server that uses the same store at the same time.
    pub(crate) async fn beside(&self) -> Self {
        let options = NodeOptions { rate: DEFAULT_RATE * 100, forwarded: false, notifications: None };
        Self::with_store(self.store.clone(), self.opened.clone(), options).await
    }

    /// A metric, by its name without the prefix.
    pub(crate) async fn metric(&self, name: &str) -> u64 {
        let text = Player::at("192.0.2.99").get(self.path("/metrics")).await.text().await.unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("seabattle_")?.strip_prefix(name));
        line.map_or(0, |value| value.trim().parse().unwrap())
    }

    /// Waits until a metric has a value.
    pub(crate) async fn until_metric(&self, name: &str, wanted: impl Fn(u64) -> bool) {
        for _ in 0..20_000 {
            if wanted(self.metric(name).await) {
                return;
            }
            tokio::task::yield_now().await;
        }
        panic!("waited in vain: {name} is {}", self.metric(name).await);
    }

    pub(crate) fn path(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }
}

pub(crate) struct Player {
    pub(crate) client: Client,
    pub(crate) cookies: String,
    /// The address that the balancer reports.
    address: &'static str,
    commands: u32,
}

impl Player {
    pub(crate) fn new() -> Self {
        Self::at("192.0.2.1")
    }

    /// A player with an address of its own, for servers behind a balancer.
    pub(crate) fn at(address: &'static str) -> Self {
        Self { client: Client::builder().build().unwrap(), cookies: String::new(), address, commands: 0 }
    }

    pub(crate) async fn post(&mut self, url: String, body: &Value) -> Response {
        let request = self.client.post(url).header("cookie", &self.cookies).header("x-forwarded-for", self.address);
        let request = request.json(body);
        let response = request.send().await.unwrap();
        for cookie in response.headers().get_all("set-cookie") {
            let pair = cookie.to_str().unwrap().split(';').next().unwrap();
            self.cookies = if self.cookies.is_empty() { pair.to_owned() } else { format!("{}; {pair}", self.cookies) };
        }
        response
    }

    pub(crate) async fn get(&self, url: String) -> Response {
        let request = self.client.get(url).header("cookie", &self.cookies).header("x-forwarded-for", self.address);
        request.send().await.unwrap()
    }

    pub(crate) async fn create(&mut self, server: &Server, wanted: Value) -> Value {
        let response = self.post(server.path("/api/games"), &wanted).await;
        assert_eq!(response.status(), StatusCode::CREATED);
        response.json().await.unwrap()
    }

    pub(crate) async fn view(&self, server: &Server, game: &str) -> Value {
        self.get(server.path(&format!("/api/games/{game}"))).await.json().await.unwrap()
    }

    pub(crate) async fn command(&mut self, server: &Server, game: &str, mut command: Value) -> (StatusCode, Value) {
        self.commands += 1;
        if command.get("command").is_none() {
            command["command"] = json!(format!("c{}", self.commands));
        }
        let response = self.post(server.path(&format!("/api/games/{game}/commands")), &command).await;
        (response.status(), response.json().await.unwrap())
    }

    pub(crate) async fn place_any(&mut self, server: &Server, game: &str, rules: &str) -> Value {
        let layout: Value = self.get(server.path(&format!("/api/layout?rules={rules}"))).await.json().await.unwrap();
        let (status, view) = self.command(server, game, json!({ "kind": "place", "fleet": layout["fleet"] })).await;
        assert_eq!(status, StatusCode::OK, "{view}");
        view
    }

    /// Waits until a view is as wanted.
    pub(crate) async fn until(&self, server: &Server, game: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..20_000 {
            let view = self.view(server, game).await;
            if wanted(&view) {
                return view;
            }
            tokio::task::yield_now().await;
        }
        panic!("waited in vain: {}", self.view(server, game).await);
    }
}

/// A cell that has not been shot at in a side's waters.
pub(crate) fn open_cell(view: &Value, waters: &str) -> String {
    let shots: Vec<&str> =
        view["waters"][waters]["shots"].as_array().unwrap().iter().map(|shot| shot["cell"].as_str().unwrap()).collect();
    let (width, height) = (view["width"].as_u64().unwrap(), view["height"].as_u64().unwrap());
    let cells =
        (1..=height).flat_map(|row| (0..width).map(move |col| format!("{}{row}", char::from(b'A' + col as u8))));
    cells.into_iter().find(|cell| !shots.contains(&cell.as_str())).unwrap()
}
