//! The server as a real process that dies in the middle of two hundred games.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use reqwest::Client;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::postgres::Database;
use crate::program::{command, folder};

const GAMES: usize = 200;
const RULES: &str = "5x5:3,2";
const FLEET: &str = "3 A1 across, 2 A3 down";
/// Connections to the server that died may fail one after the other before a new one is made.
const STALE_CONNECTIONS: usize = 2 * GAMES;
/// Longer than a restart takes, so that a failure is no hang.
const PATIENCE: Duration = Duration::from_secs(60);
/// Shots of all games together before the server is killed.
const KILLED_AFTER: usize = 3 * GAMES;

/// A server that was started and is killed when it is dropped.
struct Server {
    process: Child,
}

impl Server {
    fn start(port: u16, store: &str) -> Self {
        let address = format!("127.0.0.1:{port}");
        let args = ["serve", "--addr", &address, "--store", store, "--log-format", "off", "--rate", "100000"];
        let mut process = command(&args).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        BufReader::new(process.stderr.take().unwrap()).read_line(&mut first).unwrap();
        assert!(first.contains("http://"), "{first}");
        Self { process }
    }

    fn kill(&mut self) {
        Command::new("kill").args(["-KILL", &self.process.id().to_string()]).status().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

/// A player who asks again whatever was not answered.
struct Player {
    client: Client,
    /// How often the server was started: whoever gets no answer waits for the next time.
    starts: watch::Receiver<u32>,
    url: String,
    cookie: String,
    commands: usize,
}

impl Player {
    /// Until somebody answers; the server may be dead for a while.
    async fn ask(&self, path: &str, body: Option<&Value>) -> Value {
        for _ in 0..STALE_CONNECTIONS {
            let request = match body {
                Some(body) => self.client.post(format!("{}{path}", self.url)).json(body),
                None => self.client.get(format!("{}{path}", self.url)),
            };
            if let Ok(response) = request.header("cookie", &self.cookie).send().await
                && let Ok(answer) = response.json().await
            {
                return answer;
            }
            let mut starts = self.starts.clone();
            let started = tokio::time::timeout(PATIENCE, starts.wait_for(|starts| *starts == 2)).await;
            assert!(started.is_ok(), "the server does not come back");
        }
        panic!("nobody answers {path}");
    }

    async fn sit_down(&mut self) -> String {
        let wanted = json!({ "rules": RULES, "opponent": "recruit", "first": "me" });
        let request = self.client.post(format!("{}/api/games", self.url)).json(&wanted);
        let response = request.send().await.unwrap();
        let cookie = response.headers()["set-cookie"].to_str().unwrap();
        self.cookie = cookie.split(';').next().unwrap().to_owned();
        response.json::<Value>().await.unwrap()["game"].as_str().unwrap().to_owned()
    }

    async fn command(&mut self, game: &str, mut command: Value) -> Value {
        self.commands += 1;
        command["command"] = json!(format!("c{}", self.commands));
        let answer = self.ask(&format!("/api/games/{game}/commands"), Some(&command)).await;
        assert!(answer["error"].is_null(), "{command}: {answer}");
        answer
    }

    /// The whole game; the cells fired at, each acknowledged by the server.
    async fn play(mut self, shots: watch::Sender<usize>) -> (String, Vec<String>) {
        let game = self.sit_down().await;
        // Not drawn by the server, which draws only a few layouts at once for one client.
        self.command(&game, json!({ "kind": "place", "fleet": FLEET })).await;
        let mut fired = Vec::new();
        loop {
            let view = self.ask(&format!("/api/games/{game}"), None).await;
            if view["stage"] == "over" {
                return (game, fired);
            }
            if view["mover"] == "A" {
                let cell = format!("{}{}", char::from(b'A' + (fired.len() % 5) as u8), fired.len() / 5 + 1);
                self.command(&game, json!({ "kind": "shoot", "cells": [cell] })).await;
                fired.push(cell);
                shots.send_modify(|shots| *shots += 1);
            }
        }
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

async fn survives_a_kill(store: &str) {
    let port = free_port();
    let mut server = Server::start(port, store);
    let (client, url) = (Client::new(), format!("http://127.0.0.1:{port}"));
    let (shots, starts) = (watch::Sender::new(0), watch::Sender::new(1));
    let mut games = JoinSet::new();
    for _ in 0..GAMES {
        let player = Player {
            client: client.clone(),
            starts: starts.subscribe(),
            url: url.clone(),
            cookie: String::new(),
            commands: 0,
        };
        games.spawn(player.play(shots.clone()));
    }
    shots.subscribe().wait_for(|shots| *shots >= KILLED_AFTER).await.unwrap();
    server.kill();
    let _again = Server::start(port, store);
    starts.send_replace(2);
    let watcher = Player { client, starts: starts.subscribe(), url, cookie: String::new(), commands: 0 };
    while let Some(played) = games.join_next().await {
        let (game, fired) = played.unwrap();
        let view = watcher.ask(&format!("/api/games/{game}"), None).await;
        let stored = view["waters"]["B"]["shots"].as_array().unwrap().iter();
        let stored: Vec<&str> = stored.map(|shot| shot["cell"].as_str().unwrap()).collect();
        assert_eq!(stored, fired, "no acknowledged shot is lost, none is doubled");
    }
}

fn sqlite_file(folder: &Path) -> String {
    folder.join("games.db").display().to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_games_survive_a_kill_with_sqlite() {
    survives_a_kill(&sqlite_file(&folder("server-kill"))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_games_survive_a_kill_with_postgresql() {
    let Some(database) = Database::start("kill") else {
        eprintln!("PostgreSQL is not installed here: this is not tested");
        return;
    };
    survives_a_kill(&database.address()).await;
}

#[test]
fn impossible_stores_and_addresses_are_reported() {
    let output = command(&["serve", "--store", "/nowhere/games.db"]).output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot open the store"), "{output:?}");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, store) = (taken.local_addr().unwrap().to_string(), sqlite_file(&folder("server-taken")));
    let output = command(&["serve", "--addr", &address, "--store", &store]).output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot listen"), "{output:?}");
}
