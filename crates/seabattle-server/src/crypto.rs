//! Random ids, secrets and seeds, their hashes, and the commitment to a fleet.

use sha2::{Digest, Sha256};

/// The letters and digits of ids, without those that look alike.
const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";
const ID_LENGTH: usize = 10;

/// The system gives no random numbers.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the system gives no random numbers")]
pub(crate) struct NoRandomness;

/// A random id for a new game.
pub(crate) fn new_id() -> Result<String, NoRandomness> {
    Ok(id(&random::<ID_LENGTH>()?))
}

/// The id of the rematch of a game. It is the same on every node.
pub(crate) fn next_id(game: &str, salt: &str) -> String {
    id(&Sha256::digest(format!("{salt}:after:{game}").as_bytes())[..ID_LENGTH])
}

fn id(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

/// Whether a text has the form of a game id.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == ID_LENGTH && text.bytes().all(|byte| ALPHABET.contains(&byte))
}

/// A random secret for a seat, or a salt.
pub(crate) fn new_secret() -> Result<String, NoRandomness> {
    Ok(hex(&random::<32>()?))
}

/// The id of the game that a client creates with this request key. The same request gives the same game on every node.
pub(crate) fn id_of_request(key: &str) -> String {
    id(&Sha256::digest(format!("create:{key}").as_bytes())[..ID_LENGTH])
}

/// The secret of the seat that a client takes with this request key, in this game.
pub(crate) fn secret_of_request(key: &str, game: &str) -> String {
    hash(&format!("seat:{game}:{key}"))
}

/// A random seed for the computer of a game.
pub(crate) fn new_seed() -> Result<u64, NoRandomness> {
    Ok(u64::from_le_bytes(random()?))
}

/// The hash of a seat's secret. It is stored instead of the secret.
pub(crate) fn fingerprint(secret: &str) -> String {
    hash(secret)
}

/// The commitment to a fleet. It is shown before the first shot, so that ships cannot be moved later.
pub(crate) fn commitment(salt: &str, fleet: &str) -> String {
    hash(&format!("{salt}:{fleet}"))
}

fn hash(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

fn random<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| NoRandomness)?;
    Ok(bytes)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::{commitment, is_id, new_id, new_secret};

    #[test]
    fn ids_and_secrets_are_new_each_time() {
        let (id, other) = (new_id().unwrap(), new_id().unwrap());
        assert!(is_id(&id) && is_id(&other) && id != other);
        assert_ne!(new_secret().unwrap(), new_secret().unwrap());
        assert!(!is_id("") && !is_id("../../etc/x") && !is_id("ABCDEFGHJK"));
    }

    #[test]
    fn a_commitment_is_the_hash_of_salt_and_fleet() {
        // printf 'salt:fleet' | sha256sum
        let known = "951aca2427a79864913abd71e1a9a4f25e47f9f882cf5903e0c9adf3408a4d25";
        assert_eq!(commitment("salt", "fleet"), known);
    }
}
