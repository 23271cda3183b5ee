//! The wire format of protocol buffers, as far as ONNX needs it.

use super::OnnxError;

/// A message being written.
#[derive(Clone, Debug, Default)]
pub(super) struct Message(pub(super) Vec<u8>);

impl Message {
    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub(super) fn number(mut self, field: u64, number: u64) -> Message {
        self.varint(field << 3);
        self.varint(number);
        self
    }

    pub(super) fn float(mut self, field: u64, x: f32) -> Message {
        self.varint(field << 3 | 5);
        self.0.extend(x.to_le_bytes());
        self
    }

    pub(super) fn bytes(mut self, field: u64, bytes: &[u8]) -> Message {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    pub(super) fn text(self, field: u64, text: &str) -> Message {
        self.bytes(field, text.as_bytes())
    }

    pub(super) fn message(self, field: u64, message: &Message) -> Message {
        self.bytes(field, &message.0)
    }
}

/// The value of a field.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Wire<'a> {
    Number(u64),
    Fixed64(u64),
    Bytes(&'a [u8]),
    Fixed32(u32),
}

impl<'a> Wire<'a> {
    pub(super) fn bytes(self) -> Option<&'a [u8]> {
        if let Wire::Bytes(bytes) = self { Some(bytes) } else { None }
    }

    pub(super) fn text(self) -> Option<&'a str> {
        self.bytes().and_then(|bytes| std::str::from_utf8(bytes).ok())
    }

    pub(super) fn number(self) -> Option<u64> {
        if let Wire::Number(number) = self { Some(number) } else { None }
    }

    pub(super) fn float(self) -> Option<f32> {
        if let Wire::Fixed32(bits) = self { Some(f32::from_bits(bits)) } else { None }
    }

    /// The numbers of a repeated field, packed or not.
    pub(super) fn numbers(self) -> Result<Vec<u64>, OnnxError> {
        match self {
            Wire::Bytes(bytes) => {
                let mut reader = Reader { bytes, at: 0 };
                let mut numbers = Vec::new();
                while reader.at < bytes.len() {
                    numbers.push(reader.varint()?);
                }
                Ok(numbers)
            }
            Wire::Number(number) => Ok(vec![number]),
            _ => Err(OnnxError::Wire { at: 0, problem: "a list of whole numbers is expected" }),
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn error(&self, problem: &'static str) -> OnnxError {
        OnnxError::Wire { at: self.at, problem }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], OnnxError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let taken = rest.get(..count).ok_or_else(|| self.error("the message is cut"))?;
        self.at += count;
        Ok(taken)
    }

    fn varint(&mut self) -> Result<u64, OnnxError> {
        let mut number = 0;
        for shift in (0..70).step_by(7) {
            let byte = self.take(1)?[0];
            if shift == 63 && byte > 1 {
                break;
            }
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.error("a number is too long"))
    }

    fn field(&mut self) -> Result<(u64, Wire<'a>), OnnxError> {
        let key = self.varint()?;
        let value = match key & 7 {
            0 => Wire::Number(self.varint()?),
            1 => Wire::Fixed64(u64::from_le_bytes(self.array()?)),
            2 => {
                let length = self.varint()?;
                let length = usize::try_from(length).map_err(|_| self.error("the message is cut"))?;
                Wire::Bytes(self.take(length)?)
            }
            5 => Wire::Fixed32(u32::from_le_bytes(self.array()?)),
            _ => return Err(self.error("there is no such type of a field")),
        };
        if key >> 3 == 0 { Err(self.error("a field has the number 0")) } else { Ok((key >> 3, value)) }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], OnnxError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }
}

/// The fields of a message, in order.
pub(super) fn fields(bytes: &[u8]) -> Result<Vec<(u64, Wire<'_>)>, OnnxError> {
    let mut reader = Reader { bytes, at: 0 };
    let mut fields = Vec::new();
    while reader.at < bytes.len() {
        fields.push(reader.field()?);
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_as_they_were_written() {
        let inner = Message::default().number(3, u64::MAX).number(2, 300);
        let message = Message::default().text(1, "Conv").float(2, 0.5).message(20, &inner).number(1, 0);
        let read = fields(&message.0).unwrap();
        let expected = [
            (1, Wire::Bytes(b"Conv")),
            (2, Wire::Fixed32(0.5f32.to_bits())),
            (20, Wire::Bytes(&inner.0)),
            (1, Wire::Number(0)),
        ];
        assert_eq!(read, expected);
        assert_eq!(fields(&inner.0).unwrap(), [(3, Wire::Number(u64::MAX)), (2, Wire::Number(300))]);
        assert_eq!(Wire::Bytes(&[0x81, 1, 5]).numbers().unwrap(), [129, 5]);
        for length in 1..message.0.len() {
            let cut = fields(&message.0[..length]);
            assert!(cut.is_err() || cut.is_ok_and(|fields| fields.len() < 4));
        }
        assert!(fields(&[0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]).is_err());
        assert!(fields(&[0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]).is_err());
    }
}
