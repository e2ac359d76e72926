//! What stands before the message when the header's flags say so, on any opcode: `[<tracing id>][<warnings>][<custom payload>]`
//! in responses (v5 §4), `[<custom payload>]` in requests.

use alloc::vec::Vec;

use super::Header;
use crate::spec::Dialect;
use crate::spec::flag::header as flag;
use crate::wire::{Reader, Result, Writer};

/// A custom payload: names and opaque bytes, in the order they came.
pub type Payload<'a> = Vec<(&'a str, Option<&'a [u8]>)>;

/// Tracing id, warnings and custom payload of one frame. Absent ones cost nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prefix<'a> {
    /// The session in `system_traces`, where tracing was asked.
    pub tracing_id: Option<[u8; 16]>,
    /// What the server wants people to read.
    pub warnings: Vec<&'a str>,
    /// Agreed between a server extension and a client.
    pub custom_payload: Payload<'a>,
}

impl<'a> Prefix<'a> {
    /// Reads what `header`'s flags announce; the reader then stands at the message. Flags that the version does not define announce
    /// nothing.
    pub fn read(r: &mut Reader<'a>, header: &Header, dialect: Dialect) -> Result<Prefix<'a>> {
        let mut prefix = Prefix::default();
        if header.is_response && header.has(flag::TRACING) {
            prefix.tracing_id = Some(r.uuid("frame.tracing_id")?);
        }
        if !dialect.has_warnings_and_payload() {
            return Ok(prefix);
        }
        if header.is_response && header.has(flag::WARNING) {
            prefix.warnings = r.string_list("frame.warnings")?;
        }
        if header.has(flag::CUSTOM_PAYLOAD) {
            prefix.custom_payload = r.bytes_map("frame.custom_payload")?;
        }
        Ok(prefix)
    }

    /// Appends what is set, and returns the flags that announce it.
    pub fn write(&self, w: &mut Writer) -> Result<u8> {
        let mut flags = 0;
        if let Some(id) = &self.tracing_id {
            flags |= flag::TRACING;
            w.put(id);
        }
        if !self.warnings.is_empty() {
            flags |= flag::WARNING;
            w.string_list(&self.warnings, "frame.warnings")?;
        }
        if !self.custom_payload.is_empty() {
            flags |= flag::CUSTOM_PAYLOAD;
            w.bytes_map(&self.custom_payload, "frame.custom_payload")?;
        }
        Ok(flags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Version;

    const V4: Dialect = Dialect::new(Version::V4);

    #[test]
    fn all_three_in_the_order_of_v5() {
        // apache/cassandra-java-driver#2023: warnings and payload were read the wrong way round
        let frame = [
            0x84, 0x0e, 0, 1, 8, 0, 0, 0, 0x23, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 0, 1, b'w', 0, 1, 0, 1, b'k',
            0, 0, 0, 1, 0xff, 0, 0, 0, 1,
        ];
        let mut r = Reader::new(&frame);
        let header = Header::read(&mut r).unwrap();
        let prefix = Prefix::read(&mut r, &header, V4).unwrap();
        assert_eq!(prefix.tracing_id, Some([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]));
        assert_eq!(prefix.warnings, ["w"]);
        assert_eq!(prefix.custom_payload, [("k", Some(&[0xff][..]))]);
        assert_eq!(r.rest(), [0, 0, 0, 1]);
        let mut w = Writer::new();
        assert_eq!(prefix.write(&mut w), Ok(0x0e));
        assert_eq!(w.as_slice(), &frame[9..40]);
        for len in 9..40 {
            let mut r = Reader::new(&frame[9..len]);
            assert!(Prefix::read(&mut r, &header, V4).is_err());
        }
    }

    #[test]
    fn v3_knows_the_tracing_id_only() {
        let header = Header::read(&mut Reader::new(&[0x83, 0x0e, 0, 1, 8, 0, 0, 0, 20])).unwrap();
        let body = [[7; 16].as_slice(), &[0, 0, 0, 1]].concat();
        let mut r = Reader::new(&body);
        let prefix = Prefix::read(&mut r, &header, Dialect::new(Version::V3)).unwrap();
        assert_eq!((prefix, r.rest()), (Prefix { tracing_id: Some([7; 16]), ..Prefix::default() }, &[0, 0, 0, 1][..]));
    }

    #[test]
    fn a_request_has_no_tracing_id_before_its_payload() {
        let header = Header::read(&mut Reader::new(&[4, 6, 0, 1, 7, 0, 0, 0, 8])).unwrap();
        let prefix = Prefix::read(&mut Reader::new(&[0, 1, 0, 1, b'k', 0xff, 0xff, 0xff, 0xff]), &header, V4).unwrap();
        assert_eq!((prefix.tracing_id, prefix.custom_payload), (None, alloc::vec![("k", None)]));
    }
}
