//! A disk that is full: requests get an error, no acknowledged game is lost, and play resumes when there is room.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use reqwest::StatusCode;
use seabattle_server::DEFAULT_RATE;
use serde_json::{Value, json};

use crate::client::{Player, Server};

/// A small file system of its own, gone when it is dropped.
struct Disk(PathBuf);

impl Disk {
    /// `None` where this machine lets nobody mount one.
    fn mount() -> Option<Self> {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("disk-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"]).arg(&folder).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success()).then_some(Self(folder))
    }

    /// Takes all the room that is left.
    fn fill(&self) -> PathBuf {
        let ballast = self.0.join("ballast");
        let mut file = fs::File::create(&ballast).unwrap();
        while file.write_all(&[0; 4096]).is_ok() {}
        ballast
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // The server still holds its files: the disk goes with the last of them.
        Command::new("umount").arg("--lazy").arg(&self.0).status().ok();
        fs::remove_dir(&self.0).ok();
    }
}

/// Games that were acknowledged, with their players and the revision of the last answer.
type Acknowledged = Vec<(Player, String, u64)>;

/// Creates a game, or says why not.
async fn create(server: &Server, acknowledged: &mut Acknowledged) -> Result<(), (StatusCode, Value)> {
    let mut player = Player::new();
    let wanted = json!({ "rules": "4x4:2,1", "opponent": "person", "name": "x".repeat(40) });
    let response = player.post(server.path("/api/games"), &wanted).await;
    let (status, reply): (_, Value) = (response.status(), response.json().await.unwrap());
    if status != StatusCode::CREATED {
        return Err((status, reply));
    }
    let (game, revision) = (reply["game"].as_str().unwrap().to_owned(), reply["revision"].as_u64().unwrap());
    acknowledged.push((player, game, revision));
    Ok(())
}

async fn all_are_there(server: &Server, acknowledged: &Acknowledged) {
    for (player, game, revision) in acknowledged {
        let view = player.view(server, game).await;
        assert_eq!((view["revision"].as_u64(), &view["you"]), (Some(*revision), &json!("A")), "{view}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_loses_nothing_and_goes_on_when_there_is_room() {
    let Some(disk) = Disk::mount() else {
        eprintln!("left out: no small disk can be mounted here, so a full one is not tried");
        return;
    };
    let server = Server::on(disk.0.join("games.db"), DEFAULT_RATE * 100).await;
    let mut acknowledged = Acknowledged::new();
    for _ in 0..20 {
        create(&server, &mut acknowledged).await.unwrap();
    }

    let ballast = disk.fill();
    let mut refused = None;
    // The store may have some pages left that it took before.
    for _ in 0..1000 {
        refused = create(&server, &mut acknowledged).await.err();
        if refused.is_some() {
            break;
        }
    }
    let (status, reply) = refused.expect("no game can be stored on a full disk for ever");
    assert_eq!((status, &reply["error"]["code"]), (StatusCode::SERVICE_UNAVAILABLE, &json!("unavailable")));
    all_are_there(&server, &acknowledged).await;

    fs::remove_file(ballast).unwrap();
    for _ in 0..20 {
        create(&server, &mut acknowledged).await.unwrap();
    }
    all_are_there(&server, &acknowledged).await;
    all_are_there(&server.again().await, &acknowledged).await;
}
