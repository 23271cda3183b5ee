//! Architectures by spec, such as `policy-value:blocks=6,channels=64`, and the encoding that a game gives them.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// How a game is shown to a network: planes of the board in, a label per move and a win rate out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encoding {
    /// Rows of the board.
    pub height: usize,
    /// Columns of the board.
    pub width: usize,
    /// Input planes.
    pub planes: usize,
    /// Planes of the policy: a label is `plane * squares + square`.
    pub policy_planes: usize,
}

impl Encoding {
    /// Squares of the board.
    pub fn squares(&self) -> usize {
        self.height * self.width
    }

    /// Labels of the policy.
    pub fn labels(&self) -> usize {
        self.policy_planes * self.squares()
    }

    /// Floats of an encoded position.
    pub fn inputs(&self) -> usize {
        self.planes * self.squares()
    }

    /// Parses what `Display` prints, such as `height=9,width=9,planes=104,policy-planes=27`.
    pub fn parse(text: &str) -> Option<Encoding> {
        let mut parts = text.split(',');
        let mut number = |key: &str, most: usize| {
            let value = parts.next()?.strip_prefix(key)?.strip_prefix('=')?.parse().ok()?;
            (1..=most).contains(&value).then_some(value)
        };
        let (height, width) = (number("height", MOST_SIDE)?, number("width", MOST_SIDE)?);
        let (planes, policy_planes) = (number("planes", MOST_PLANES)?, number("policy-planes", MOST_PLANES)?);
        parts.next().is_none().then_some(Encoding { height, width, planes, policy_planes })
    }

    /// Words of an encoded position whose planes are bits.
    pub fn words(&self) -> usize {
        self.planes * self.squares().div_ceil(64)
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Encoding { height, width, planes, policy_planes } = self;
        write!(f, "height={height},width={width},planes={planes},policy-planes={policy_planes}")
    }
}

/// The 3×3 convolutions that the heads share. A batch norm and a ReLU follow on each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trunk {
    /// So many convolutions in a row.
    Plain {
        /// The number of convolutions.
        layers: usize,
    },
    /// One convolution, then residual blocks of two.
    Residual {
        /// The number of blocks.
        blocks: usize,
    },
}

/// What the value head looks like: a 1×1 convolution to a few channels, a hidden layer and a win rate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValueShape {
    /// Channels after the 1×1 convolution.
    pub channels: usize,
    /// Units of the hidden layer.
    pub hidden: usize,
}

impl Default for ValueShape {
    fn default() -> ValueShape {
        ValueShape { channels: 8, hidden: 64 }
    }
}

/// The architecture of a network.
///
/// ```
/// use tesuji_nn::Architecture;
/// let net: Architecture = "policy-value:blocks=6,channels=64".parse()?;
/// assert_eq!(net.to_string(), "policy-value:blocks=6,channels=64");
/// # Ok::<(), tesuji_nn::ArchitectureError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Architecture {
    /// The convolutions.
    pub trunk: Trunk,
    /// Channels of the trunk.
    pub channels: usize,
    /// Whether there is a policy head.
    pub policy: bool,
    /// The value head, if there is one.
    pub value: Option<ValueShape>,
}

/// An invalid architecture.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ArchitectureError {
    /// An unknown kind of network.
    #[error("there is no kind of network {name:?}; {hint}")]
    Kind {
        /// The offending name.
        name: String,
        /// The nearest known one, or all of them.
        hint: String,
    },
    /// An unknown setting.
    #[error("a network of the kind {kind} has no setting {key:?}; {hint}")]
    Key {
        /// The kind of network.
        kind: String,
        /// The offending key.
        key: String,
        /// The nearest known one, or all of them.
        hint: String,
    },
    /// A part that is not `key=value`.
    #[error("{part:?} is not a setting of a network: write key=value, such as channels=64")]
    Grammar {
        /// The offending part.
        part: String,
    },
    /// A value out of its range.
    #[error("{key}={value}: write a whole number from {least} to {most}")]
    Value {
        /// The setting.
        key: String,
        /// The offending value.
        value: String,
        /// The least allowed value.
        least: usize,
        /// The greatest allowed value.
        most: usize,
    },
    /// A setting that stands twice, or two that exclude each other.
    #[error("{key} and {other} exclude each other: write one of them, once")]
    Twice {
        /// The later setting.
        key: String,
        /// The earlier one.
        other: String,
    },
}

const KINDS: [&str; 3] = ["policy", "value", "policy-value"];
/// Limits that keep a damaged file from asking for more memory than there is.
const MOST_SIDE: usize = 64;
const MOST_PLANES: usize = 4096;
const MOST_LAYERS: usize = 200;
const MOST_CHANNELS: usize = 1024;

impl Architecture {
    /// The number of 3×3 convolutions.
    pub fn convolutions(&self) -> usize {
        match self.trunk {
            Trunk::Plain { layers } => layers,
            Trunk::Residual { blocks } => 1 + 2 * blocks,
        }
    }

    /// The kind of network: `policy`, `value` or `policy-value`.
    pub fn kind(&self) -> &'static str {
        match (self.policy, self.value) {
            (true, None) => "policy",
            (false, _) => "value",
            (true, Some(_)) => "policy-value",
        }
    }
}

impl FromStr for Architecture {
    type Err = ArchitectureError;

    fn from_str(text: &str) -> Result<Architecture, ArchitectureError> {
        let (kind, settings) = text.split_once(':').unwrap_or((text, ""));
        if !KINDS.contains(&kind) {
            return Err(ArchitectureError::Kind { name: kind.to_owned(), hint: nearest(kind, &KINDS) });
        }
        let mut value = (kind != "policy").then(ValueShape::default);
        let (mut trunk, mut channels) = (None, None);
        let mut seen: Vec<&str> = Vec::new();
        for part in settings.split(',').filter(|_| !settings.is_empty()) {
            let Some((key, number)) = part.split_once('=') else {
                return Err(ArchitectureError::Grammar { part: part.to_owned() });
            };
            let excludes = |other: &&&str| **other == key || ["layers", "blocks"].contains(other) && trunk_key(key);
            if let Some(other) = seen.iter().find(excludes) {
                return Err(ArchitectureError::Twice { key: key.to_owned(), other: (*other).to_owned() });
            }
            seen.push(key);
            let ranged = |least: usize, most: usize| match number.parse::<usize>() {
                Ok(count) if (least..=most).contains(&count) => Ok(count),
                _ => Err(ArchitectureError::Value { key: key.to_owned(), value: number.to_owned(), least, most }),
            };
            match (key, &mut value) {
                ("layers", _) => trunk = Some(Trunk::Plain { layers: ranged(1, MOST_LAYERS)? }),
                ("blocks", _) => trunk = Some(Trunk::Residual { blocks: ranged(0, MOST_LAYERS)? }),
                ("channels", _) => channels = Some(ranged(1, MOST_CHANNELS)?),
                ("value-channels", Some(shape)) => shape.channels = ranged(1, MOST_CHANNELS)?,
                ("value-hidden", Some(shape)) => shape.hidden = ranged(1, 4096)?,
                _ => {
                    let known = ["layers", "blocks", "channels", "value-channels", "value-hidden"];
                    let known = if value.is_some() { &known[..] } else { &known[..3] };
                    let (kind, key) = (kind.to_owned(), key.to_owned());
                    return Err(ArchitectureError::Key { hint: nearest(&key, known), kind, key });
                }
            }
        }
        let policy = kind != "value";
        // The classic nets of their kinds.
        let classic = if kind == "policy-value" { Trunk::Residual { blocks: 6 } } else { Trunk::Plain { layers: 12 } };
        let trunk = trunk.unwrap_or(classic);
        let default = if matches!(trunk, Trunk::Plain { .. }) { 192 } else { 64 };
        Ok(Architecture { trunk, channels: channels.unwrap_or(default), policy, value })
    }
}

fn trunk_key(key: &str) -> bool {
    ["layers", "blocks"].contains(&key)
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.kind())?;
        match self.trunk {
            Trunk::Plain { layers } => write!(f, "layers={layers}")?,
            Trunk::Residual { blocks } => write!(f, "blocks={blocks}")?,
        }
        write!(f, ",channels={}", self.channels)?;
        if let Some(shape) = self.value {
            if shape.channels != ValueShape::default().channels {
                write!(f, ",value-channels={}", shape.channels)?;
            }
            if shape.hidden != ValueShape::default().hidden {
                write!(f, ",value-hidden={}", shape.hidden)?;
            }
        }
        Ok(())
    }
}

/// Names the nearest known word, or all of them if none is near.
fn nearest(word: &str, known: &[&str]) -> String {
    let best = known.iter().map(|other| (distance(word, other), other)).min();
    match best {
        Some((distance, other)) if distance <= word.chars().count().max(3) / 2 => format!("did you mean {other}?"),
        _ => format!("write one of {}", known.join(", ")),
    }
}

/// The edit distance of Levenshtein.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.chars().enumerate() {
            let next = (diagonal + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], next);
        }
    }
    row[b.chars().count()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<Architecture>().unwrap_err().to_string()
    }

    #[test]
    fn specs_are_printed_as_they_are_written() {
        for text in [
            "policy:layers=12,channels=192",
            "value:layers=12,channels=192",
            "policy-value:blocks=6,channels=64",
            "policy-value:blocks=0,channels=16,value-channels=2,value-hidden=256",
            "policy:blocks=10,channels=1024",
        ] {
            assert_eq!(text.parse::<Architecture>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn encodings_are_read_as_they_are_printed() {
        let encoding = Encoding { height: 9, width: 8, planes: 104, policy_planes: 27 };
        assert_eq!(encoding.to_string(), "height=9,width=8,planes=104,policy-planes=27");
        assert_eq!(Encoding::parse(&encoding.to_string()), Some(encoding));
        for wrong in ["", "height=9", "height=0,width=8,planes=1,policy-planes=1", "9,8,104,27"] {
            assert_eq!(Encoding::parse(wrong), None, "{wrong}");
        }
        assert_eq!(Encoding::parse("height=9,width=8,planes=104,policy-planes=27,x=1"), None);
    }

    #[test]
    fn defaults_are_the_classic_nets() {
        assert_eq!("policy".parse::<Architecture>().unwrap().to_string(), "policy:layers=12,channels=192");
        assert_eq!("policy-value".parse::<Architecture>().unwrap().to_string(), "policy-value:blocks=6,channels=64");
        assert_eq!("policy-value".parse::<Architecture>().unwrap().convolutions(), 13);
    }

    #[test]
    fn errors_name_the_part_and_what_would_be_right() {
        assert_eq!(error("polcy:layers=3"), "there is no kind of network \"polcy\"; did you mean policy?");
        assert_eq!(
            error("resnet50"),
            "there is no kind of network \"resnet50\"; write one of policy, value, policy-value"
        );
        assert_eq!(
            error("policy:chanels=3"),
            "a network of the kind policy has no setting \"chanels\"; did you mean channels?"
        );
        assert!(error("policy:value-hidden=3").contains("has no setting \"value-hidden\""));
        assert_eq!(error("policy:channels=0"), "channels=0: write a whole number from 1 to 1024");
        assert_eq!(error("policy:channels=-1"), "channels=-1: write a whole number from 1 to 1024");
        assert!(error("policy:channels").contains("write key=value"));
        assert_eq!(error("policy:layers=2,blocks=3"), "blocks and layers exclude each other: write one of them, once");
        assert!(error("policy:channels=2,channels=3").contains("exclude each other"));
    }
}
