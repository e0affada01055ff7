//! Players who go to another node whenever one does not answer.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use reqwest::{Client, Response, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

pub(crate) const RULES: &str = "5x5:3,2";
/// A node that does not answer within this time is not asked any longer.
const ANSWER: Duration = Duration::from_secs(2);
const SHUNNED: Duration = Duration::from_secs(5);
/// Whoever was not answered asks again after so long.
pub(crate) const BETWEEN_TRIES: Duration = Duration::from_millis(20);
/// A game that does not go on for so long never will.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// What all players of a test have in common.
#[derive(Clone)]
pub(crate) struct Site {
    pub(crate) client: Client,
    nodes: Arc<Vec<(String, Mutex<Option<Instant>>)>>,
    /// Shots that were acknowledged, of all games.
    pub(crate) shots: watch::Sender<usize>,
    /// Answers that the site cannot do it now.
    pub(crate) unavailable: watch::Sender<usize>,
}

impl Site {
    pub(crate) fn new(urls: Vec<String>) -> Self {
        let client = Client::builder().timeout(ANSWER).build().unwrap();
        let nodes = urls.into_iter().map(|url| (url, Mutex::new(None))).collect();
        Self { client, nodes: Arc::new(nodes), shots: watch::Sender::new(0), unavailable: watch::Sender::new(0) }
    }

    pub(crate) fn url(&self, node: usize) -> &str {
        &self.nodes[node % self.nodes.len()].0
    }

    /// Nobody is sent there for a while, as a balancer does.
    fn shun(&self, node: usize) {
        *self.nodes[node % self.nodes.len()].1.lock().unwrap() = Some(Instant::now());
    }

    pub(crate) fn is_back(&self, node: usize) {
        *self.nodes[node].1.lock().unwrap() = None;
    }

    /// This node, or the next that nobody shuns.
    fn balanced(&self, node: usize) -> usize {
        let count = self.nodes.len();
        let is_shunned = |node: &usize| {
            let failed = self.nodes[node % count].1.lock().unwrap();
            failed.is_some_and(|at| at.elapsed() < SHUNNED)
        };
        (node..node + count).find(|node| !is_shunned(node)).unwrap_or(node)
    }

    pub(crate) async fn text(&self, node: usize, path: &str) -> String {
        let response = self.client.get(format!("{}{path}", self.url(node))).send().await.unwrap();
        response.text().await.unwrap()
    }

    /// What this node tells, as soon as it can.
    async fn view(&self, node: usize, game: &str) -> Value {
        let began = Instant::now();
        loop {
            let view: Value = serde_json::from_str(&self.text(node, &format!("/api/games/{game}")).await).unwrap();
            if view["error"]["code"] != "unavailable" {
                return view;
            }
            assert!(began.elapsed() < PATIENCE, "node {node} never answers");
            tokio::time::sleep(BETWEEN_TRIES).await;
        }
    }

    /// The number after a name among the metrics of a node.
    pub(crate) async fn metric(&self, node: usize, name: &str) -> u64 {
        let text = self.text(node, "/metrics").await;
        let line = text.lines().find(|line| line.starts_with(&format!("seabattle_{name} "))).unwrap();
        line.split(' ').nth(1).unwrap().parse().unwrap()
    }
}

pub(crate) struct Player {
    pub(crate) site: Site,
    /// The node to be asked next.
    pub(crate) at: usize,
    pub(crate) game: String,
    cookie: String,
    side: &'static str,
    commands: usize,
    socket: Option<Socket>,
}

impl Player {
    pub(crate) async fn open(site: &Site, at: usize, wanted: &Value) -> Option<Self> {
        Self::sit(site, at, "/api/games", wanted, "A").await
    }

    pub(crate) async fn join(site: &Site, at: usize, game: &str) -> Option<Self> {
        Self::sit(site, at, &format!("/api/games/{game}/join"), &json!({}), "B").await
    }

    /// `None` if that was not acknowledged.
    async fn sit(site: &Site, at: usize, path: &str, body: &Value, side: &'static str) -> Option<Self> {
        let at = site.balanced(at);
        let response = site.client.post(format!("{}{path}", site.url(at))).json(body).send().await;
        let response = response.inspect_err(|_| site.shun(at)).ok()?;
        let cookie = response.headers().get("set-cookie")?.to_str().unwrap().split(';').next().unwrap().to_owned();
        let game = response.json::<Value>().await.ok()?["game"].as_str()?.to_owned();
        Some(Self { site: site.clone(), at, game, cookie, side, commands: 0, socket: None })
    }

    /// Of one node after the other, until one answers.
    async fn ask(&mut self, path: &str, body: Option<&Value>) -> Value {
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            self.at = self.site.balanced(self.at);
            let url = format!("{}{path}", self.site.url(self.at));
            let request =
                body.map_or_else(|| self.site.client.get(&url), |body| self.site.client.post(&url).json(body));
            match request.header("cookie", &self.cookie).send().await {
                Ok(response) if self.is_unavailable(&response) => {}
                Ok(response) => match response.json().await {
                    Ok(answer) => return answer,
                    Err(_) => self.site.shun(self.at),
                },
                Err(_) => self.site.shun(self.at),
            }
            self.at += 1;
            tokio::time::sleep(BETWEEN_TRIES).await;
        }
        panic!("nobody answers {path}");
    }

    fn is_unavailable(&self, response: &Response) -> bool {
        let unavailable = response.status() == StatusCode::SERVICE_UNAVAILABLE;
        if unavailable {
            assert_eq!(response.headers()["retry-after"], "1");
            self.site.unavailable.send_modify(|count| *count += 1);
        }
        unavailable
    }

    /// Acknowledged once it returns; the next command goes to the next node, as behind a balancer.
    pub(crate) async fn command(&mut self, mut command: Value) -> Value {
        self.commands += 1;
        command["command"] = json!(format!("c{}", self.commands));
        let answer = self.ask(&format!("/api/games/{}/commands", self.game), Some(&command)).await;
        assert!(answer["error"].is_null(), "{command}: {answer}");
        self.at += 1;
        answer
    }

    pub(crate) async fn place(&mut self) {
        let layout = self.ask(&format!("/api/layout?rules={RULES}"), None).await;
        self.command(json!({ "kind": "place", "fleet": layout["fleet"] })).await;
    }

    pub(crate) async fn shoot(&mut self, cell: &str) -> Value {
        let view = self.command(json!({ "kind": "shoot", "cells": [cell] })).await;
        self.site.shots.send_modify(|shots| *shots += 1);
        view
    }

    pub(crate) async fn view(&mut self) -> Value {
        self.ask(&format!("/api/games/{}", self.game), None).await
    }

    pub(crate) async fn connect(&self) -> Option<Socket> {
        let url = format!("{}/api/games/{}/live", self.site.url(self.at).replace("http", "ws"), self.game);
        let mut request = url.into_client_request().unwrap();
        request.headers_mut().insert("cookie", self.cookie.parse().unwrap());
        timeout(ANSWER, connect_async(request)).await.ok()?.ok().map(|(socket, _)| socket)
    }

    /// The first view over a live connection that is as wanted; a connection that is lost or silent is made at the next node.
    pub(crate) async fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            if self.socket.is_none() {
                self.at = self.site.balanced(self.at);
                self.socket = self.connect().await;
            }
            match &mut self.socket {
                Some(socket) => match timeout(ANSWER, next_view(socket)).await.ok().flatten() {
                    Some(view) if wanted(&view) => return view,
                    Some(_) => continue,
                    None => self.socket = None,
                },
                None => self.site.shun(self.at),
            }
            self.at += 1;
        }
        panic!("waited in vain: {}", self.view().await);
    }

    /// The whole game; the cells fired at, each acknowledged.
    pub(crate) async fn play(mut self) -> Played {
        self.place().await;
        let mut fired: Vec<String> = Vec::new();
        loop {
            let side = self.side;
            // A node may tell late what others have stored: what was fired is known here.
            let count = fired.len();
            let mine = |view: &Value| {
                let shots = view["waters"][other(side)]["shots"].as_array().unwrap().len();
                view["stage"] == "over" || (view["mover"] == side && shots >= count)
            };
            if self.until(mine).await["stage"] == "over" {
                return Played { game: self.game, side, fired };
            }
            let cell = format!("{}{}", char::from(b'A' + (fired.len() % 5) as u8), fired.len() / 5 + 1);
            self.socket = None;
            self.shoot(&cell).await;
            fired.push(cell);
        }
    }
}

/// `None` when the connection is lost.
pub(crate) async fn next_view(socket: &mut Socket) -> Option<Value> {
    loop {
        let message = socket.next().await?.ok()?;
        let Ok(text) = message.to_text() else { continue };
        if let Ok(mut received) = serde_json::from_str::<Value>(text)
            && received["view"].is_object()
        {
            return Some(received["view"].take());
        }
    }
}

fn other(side: &str) -> &'static str {
    if side == "A" { "B" } else { "A" }
}

/// A game to its end as one side has seen it.
pub(crate) struct Played {
    game: String,
    side: &'static str,
    fired: Vec<String>,
}

impl Played {
    /// No acknowledged shot is lost, none is doubled, wherever one asks.
    pub(crate) async fn check(&self, site: &Site, nodes: usize) {
        for node in 0..nodes {
            let view = site.view(node, &self.game).await;
            let stored = view["waters"][other(self.side)]["shots"].as_array().unwrap().iter();
            let stored: Vec<&str> = stored.map(|shot| shot["cell"].as_str().unwrap()).collect();
            assert_eq!(stored, self.fired, "{} at node {node}", self.game);
            assert_eq!((&view["stage"], &view["end"]["how"]), (&json!("over"), &json!("sunk")), "{view}");
        }
    }
}
