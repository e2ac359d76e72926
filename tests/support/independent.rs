//! Compression, checksums and segments by other code than the crate's: LZ4 by the C library; snappy, CRC-24, CRC-32 and segments
//! written here from their descriptions (we know of no other maintained snappy in Rust than the one the crate itself uses).

/// The content of an LZ4 block of known size, by liblz4.
pub fn lz4_unpack(block: &[u8], size: usize) -> Vec<u8> {
    let content = lz4::block::decompress(block, Some(size as i32)).expect("liblz4 takes the block");
    assert_eq!(content.len(), size);
    content
}

/// One LZ4 block, by liblz4.
pub fn lz4_pack(content: &[u8]) -> Vec<u8> {
    lz4::block::compress(content, None, false).expect("liblz4 makes a block")
}

/// The content of a raw snappy block (google/snappy, format_description.txt).
pub fn snappy_unpack(block: &[u8]) -> Vec<u8> {
    let (mut size, mut at) = (0usize, 0);
    loop {
        size |= usize::from(block[at] & 0x7f) << (7 * at);
        at += 1;
        if block[at - 1] < 0x80 {
            break;
        }
    }
    let little_endian = |bytes: &[u8]| bytes.iter().rev().fold(0usize, |number, byte| number << 8 | usize::from(*byte));
    let mut out = Vec::with_capacity(size);
    while at < block.len() {
        let tag = usize::from(block[at]);
        at += 1;
        let (length, offset) = match tag & 3 {
            0 => {
                let mut length = tag >> 2;
                if length >= 60 {
                    let bytes = length - 59;
                    length = little_endian(&block[at..at + bytes]);
                    at += bytes;
                }
                out.extend(&block[at..at + length + 1]);
                at += length + 1;
                continue;
            }
            1 => {
                at += 1;
                ((tag >> 2 & 7) + 4, (tag >> 5) << 8 | usize::from(block[at - 1]))
            }
            2 => {
                at += 2;
                ((tag >> 2) + 1, little_endian(&block[at - 2..at]))
            }
            _ => {
                at += 4;
                ((tag >> 2) + 1, little_endian(&block[at - 4..at]))
            }
        };
        for _ in 0..length {
            out.push(out[out.len() - offset]);
        }
    }
    assert_eq!(out.len(), size);
    out
}

/// A raw snappy block: runs of one byte as copies, the rest as literals, in every form of either.
pub fn snappy_pack(content: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut size = content.len();
    while size >= 0x80 {
        out.push(size as u8 | 0x80);
        size >>= 7;
    }
    out.push(size as u8);
    let mut rest = content;
    while let Some(first) = rest.first() {
        let run = rest.iter().take_while(|byte| *byte == first).count();
        if run >= 8 {
            out.extend([0, *first]); // a literal of one byte, then copies of offset 1
            let mut left = run - 1;
            while left > 0 {
                let length = left.min(64);
                match length {
                    4..=11 => out.extend([1 | (length as u8 - 4) << 2, 1]),
                    12..=40 => out.extend([2 | (length as u8 - 1) << 2, 1, 0]),
                    _ => out.extend([3 | (length as u8 - 1) << 2, 1, 0, 0, 0]),
                }
                left -= length;
            }
            rest = &rest[run..];
            continue;
        }
        let literal = rest.windows(8).position(|window| window.iter().all(|byte| *byte == window[0])).unwrap_or(rest.len()).max(1);
        match literal - 1 {
            length @ 0..60 => out.push((length as u8) << 2),
            length @ 60..0x100 => out.extend([60 << 2, length as u8]),
            length @ 0x100..0x1_0000 => out.extend([61 << 2, length as u8, (length >> 8) as u8]),
            length => out.extend([62 << 2, length as u8, (length >> 8) as u8, (length >> 16) as u8]),
        }
        out.extend(&rest[..literal]);
        rest = &rest[literal..];
    }
    out
}

/// CRC-24 as native_protocol_v5 §2.2 describes it, bit by bit.
fn crc24(bytes: &[u8]) -> [u8; 3] {
    let mut crc = 0x87_5060u32;
    for byte in bytes {
        crc ^= u32::from(*byte) << 16;
        for _ in 0..8 {
            crc = if crc & 0x80_0000 != 0 { crc << 1 ^ 0x197_4f0b } else { crc << 1 };
        }
    }
    let [low, middle, high, _] = crc.to_le_bytes();
    [low, middle, high]
}

/// CRC-32 (IEEE 802.3) of the server's four seed bytes and the payload, bit by bit.
fn crc32(payload: &[u8]) -> [u8; 4] {
    let mut crc = 0xffff_ffffu32;
    for byte in [0xfa, 0x2d, 0x55, 0xca].iter().chain(payload) {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 != 0 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    (!crc).to_le_bytes()
}

/// One segment. `pack`: by LZ4, where `lz4` has been agreed.
pub fn segment(payload: &[u8], self_contained: bool, lz4: bool, pack: bool) -> Vec<u8> {
    let sent = if pack { lz4_pack(payload) } else { payload.to_vec() };
    let mut header = if lz4 {
        let uncompressed = if pack { payload.len() as u64 } else { 0 };
        let fields = sent.len() as u64 | uncompressed << 17 | u64::from(self_contained) << 34;
        fields.to_le_bytes()[..5].to_vec()
    } else {
        (sent.len() as u32 | u32::from(self_contained) << 17).to_le_bytes()[..3].to_vec()
    };
    header.extend(crc24(&header));
    [&header[..], &sent, &crc32(&sent)].concat()
}

/// The payloads of a stream of segments, decompressed, each with its self-contained flag.
pub fn payloads(mut stream: &[u8], lz4: bool) -> Vec<(bool, Vec<u8>)> {
    let mut payloads = Vec::new();
    while !stream.is_empty() {
        let fields_len = if lz4 { 5 } else { 3 };
        let (fields, rest) = stream.split_at(fields_len);
        assert_eq!(rest[..3], crc24(fields), "CRC-24");
        let number = fields.iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
        let length = (number & 0x1_ffff) as usize;
        let (uncompressed, flags) = if lz4 { ((number >> 17 & 0x1_ffff) as usize, number >> 34) } else { (0, number >> 17) };
        assert_eq!(flags >> 1, 0, "bits that mean nothing are zero");
        let sent = &rest[3..3 + length];
        assert_eq!(rest[3 + length..3 + length + 4], crc32(sent), "CRC-32");
        let payload = if uncompressed > 0 { lz4_unpack(sent, uncompressed) } else { sent.to_vec() };
        assert!(uncompressed == 0 || length < uncompressed, "what gains nothing is not compressed");
        payloads.push((flags & 1 != 0, payload));
        stream = &rest[3 + length + 4..];
    }
    payloads
}
