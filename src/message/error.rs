//! ERROR (v5 §8; Scylla, Rate limit error): `<code><message>` and what the code adds. Codes, write types and consistency numbers that are not known are kept;
//! what follows an unknown code, or one that the version does not define, is left unread.

use alloc::vec::Vec;
use core::net::IpAddr;

use crate::spec::code::error as code;
use crate::spec::{Consistency, Dialect};
use crate::wire::{Error, ErrorKind, Reader, Result, Writer};

/// A request that failed. To the codec it is a message like any other.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize))]
pub struct ErrorMessage<'a> {
    /// `spec::code::error`
    pub code: i32,
    /// The server's words.
    pub message: &'a str,
    /// What the code adds.
    #[cfg_attr(feature = "js", serde(flatten))]
    pub detail: ErrorDetail<'a>,
}

/// The fields that some codes have.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize), serde(untagged))]
#[allow(missing_docs)] // the fields are those of v5 §8, by name
pub enum ErrorDetail<'a> {
    /// 0x1000
    #[cfg_attr(feature = "js", serde(rename_all = "camelCase"))]
    Unavailable {
        #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::consistency"))]
        consistency: Consistency,
        required: i32,
        alive: i32,
    },
    /// 0x1100
    #[cfg_attr(feature = "js", serde(rename_all = "camelCase"))]
    WriteTimeout {
        #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::consistency"))]
        consistency: Consistency,
        received: i32,
        block_for: i32,
        write_type: &'a str,
        /// v5, where the write type is CAS.
        #[cfg_attr(feature = "js", serde(skip_serializing_if = "Option::is_none"))]
        contentions: Option<u16>,
    },
    /// 0x1200
    #[cfg_attr(feature = "js", serde(rename_all = "camelCase"))]
    ReadTimeout {
        #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::consistency"))]
        consistency: Consistency,
        received: i32,
        block_for: i32,
        data_present: bool,
    },
    /// 0x1300
    #[cfg_attr(feature = "js", serde(rename_all = "camelCase"))]
    ReadFailure {
        #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::consistency"))]
        consistency: Consistency,
        received: i32,
        block_for: i32,
        #[cfg_attr(feature = "js", serde(flatten))]
        failures: Failures,
        data_present: bool,
    },
    /// 0x1500
    #[cfg_attr(feature = "js", serde(rename_all = "camelCase"))]
    WriteFailure {
        #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::consistency"))]
        consistency: Consistency,
        received: i32,
        block_for: i32,
        #[cfg_attr(feature = "js", serde(flatten))]
        failures: Failures,
        write_type: &'a str,
    },
    /// 0x1400
    #[cfg_attr(feature = "js", serde(rename_all = "camelCase"))]
    FunctionFailure { keyspace: &'a str, function: &'a str, argument_types: Vec<&'a str> },
    /// 0x1700
    #[cfg_attr(feature = "js", serde(rename_all = "camelCase"))]
    CasWriteUnknown {
        #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::consistency"))]
        consistency: Consistency,
        received: i32,
        block_for: i32,
    },
    /// 0x2400; `table` is empty where a keyspace exists already.
    AlreadyExists { keyspace: &'a str, table: &'a str },
    /// 0x2500
    #[cfg_attr(feature = "js", serde(rename_all = "camelCase"))]
    Unprepared {
        #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::bytes"))]
        statement_id: &'a [u8],
    },
    /// The code that the connection has agreed on; op_type 0 is a read, 1 a write.
    #[cfg_attr(feature = "js", serde(rename_all = "camelCase"))]
    RateLimit {
        #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::op_type"))]
        op_type: u8,
        rejected_by_coordinator: bool,
    },
    /// Every other code.
    None {},
}

/// The nodes that failed: v4 says how many, v5 which and why.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "js", derive(serde::Serialize))]
pub struct Failures {
    /// How many.
    #[cfg_attr(feature = "js", serde(rename = "failures"))]
    pub count: i32,
    /// Addresses and reason codes (v5).
    #[cfg_attr(feature = "js", serde(serialize_with = "super::to_js::reasons", skip_serializing_if = "Vec::is_empty"))]
    pub reasons: Vec<(IpAddr, u16)>,
}

impl<'a> ErrorMessage<'a> {
    /// Reads the body.
    pub fn decode(r: &mut Reader<'a>, dialect: Dialect) -> Result<ErrorMessage<'a>> {
        let code = r.int("ERROR.code")?;
        r.stands_for(code::name(code));
        let message = r.string("ERROR.message")?;
        Ok(ErrorMessage { code, message, detail: ErrorDetail::decode(code, r, dialect)? })
    }

    /// Appends the body. Fields that the version's code has must be in `detail`; others are not written.
    pub fn encode(&self, w: &mut Writer, dialect: Dialect) -> Result<()> {
        w.int(self.code);
        w.string(self.message, "ERROR.message")?;
        self.detail.encode(self.code, w, dialect)
    }

    /// The code's name; `None` for one that is not known.
    pub fn name(&self) -> Option<&'static str> {
        if let ErrorDetail::RateLimit { .. } = self.detail { Some(code::RATE_LIMIT_ERROR) } else { code::name(self.code) }
    }
}

impl<'a> ErrorDetail<'a> {
    fn decode(code: i32, r: &mut Reader<'a>, dialect: Dialect) -> Result<ErrorDetail<'a>> {
        Ok(match code {
            code::UNAVAILABLE => ErrorDetail::Unavailable {
                consistency: r.consistency("ERROR.cl")?,
                required: r.int("ERROR.required")?,
                alive: r.int("ERROR.alive")?,
            },
            code::WRITE_TIMEOUT => {
                let (consistency, received, block_for) = decode_counts(r)?;
                let write_type = r.string("ERROR.write_type")?;
                let contentions = write_type == "CAS" && dialect.has_contentions();
                let contentions = if contentions { Some(r.short("ERROR.contentions")?) } else { None };
                ErrorDetail::WriteTimeout { consistency, received, block_for, write_type, contentions }
            }
            code::READ_TIMEOUT => {
                let (consistency, received, block_for) = decode_counts(r)?;
                ErrorDetail::ReadTimeout { consistency, received, block_for, data_present: r.byte("ERROR.data_present")? != 0 }
            }
            code::READ_FAILURE if dialect.has_failure_errors() => {
                let (consistency, received, block_for) = decode_counts(r)?;
                let failures = Failures::decode(r, dialect)?;
                ErrorDetail::ReadFailure { consistency, received, block_for, failures, data_present: r.byte("ERROR.data_present")? != 0 }
            }
            code::WRITE_FAILURE if dialect.has_failure_errors() => {
                let (consistency, received, block_for) = decode_counts(r)?;
                let failures = Failures::decode(r, dialect)?;
                ErrorDetail::WriteFailure { consistency, received, block_for, failures, write_type: r.string("ERROR.write_type")? }
            }
            code::FUNCTION_FAILURE if dialect.has_failure_errors() => ErrorDetail::FunctionFailure {
                keyspace: r.string("ERROR.keyspace")?,
                function: r.string("ERROR.function")?,
                argument_types: r.string_list("ERROR.arg_types")?,
            },
            code::CAS_WRITE_UNKNOWN if dialect.has_cas_write_unknown() => {
                let (consistency, received, block_for) = decode_counts(r)?;
                ErrorDetail::CasWriteUnknown { consistency, received, block_for }
            }
            code::ALREADY_EXISTS => ErrorDetail::AlreadyExists { keyspace: r.string("ERROR.ks")?, table: r.string("ERROR.table")? },
            code::UNPREPARED => ErrorDetail::Unprepared { statement_id: r.short_bytes("ERROR.id")? },
            code if dialect.is_rate_limit_error(code) => ErrorDetail::RateLimit {
                op_type: r.byte("ERROR.op_type")?,
                rejected_by_coordinator: r.byte("ERROR.rejected_by_coordinator")? != 0,
            },
            _ => ErrorDetail::None {},
        })
    }
}

impl ErrorDetail<'_> {
    /// Appends the fields; refused where they are not those of `code` in this version, which a reader would take for something else.
    fn encode(&self, code: i32, w: &mut Writer, dialect: Dialect) -> Result<()> {
        let has_failures = dialect.has_failure_errors();
        let belongs = match self {
            ErrorDetail::Unavailable { .. } => code == code::UNAVAILABLE,
            ErrorDetail::WriteTimeout { write_type, contentions, .. } => {
                code == code::WRITE_TIMEOUT && contentions.is_some() == (*write_type == "CAS" && dialect.has_contentions())
            }
            ErrorDetail::ReadTimeout { .. } => code == code::READ_TIMEOUT,
            ErrorDetail::ReadFailure { .. } => code == code::READ_FAILURE && has_failures,
            ErrorDetail::WriteFailure { .. } => code == code::WRITE_FAILURE && has_failures,
            ErrorDetail::FunctionFailure { .. } => code == code::FUNCTION_FAILURE && has_failures,
            ErrorDetail::CasWriteUnknown { .. } => code == code::CAS_WRITE_UNKNOWN && dialect.has_cas_write_unknown(),
            ErrorDetail::AlreadyExists { .. } => code == code::ALREADY_EXISTS,
            ErrorDetail::Unprepared { .. } => code == code::UNPREPARED,
            ErrorDetail::RateLimit { .. } => dialect.is_rate_limit_error(code),
            ErrorDetail::None {} => !code::has_fields(code, dialect),
        };
        if !belongs {
            return Err(Error::new(ErrorKind::Unsupported, "ERROR.detail", w.len()));
        }
        match self {
            ErrorDetail::Unavailable { consistency, required, alive } => encode_counts(w, *consistency, *required, *alive),
            ErrorDetail::WriteTimeout { consistency, received, block_for, write_type, contentions } => {
                encode_counts(w, *consistency, *received, *block_for);
                w.string(write_type, "ERROR.write_type")?;
                contentions.iter().for_each(|contentions| w.short(*contentions));
            }
            ErrorDetail::ReadTimeout { consistency, received, block_for, data_present } => {
                encode_counts(w, *consistency, *received, *block_for);
                w.byte(u8::from(*data_present));
            }
            ErrorDetail::ReadFailure { consistency, received, block_for, failures, data_present } => {
                encode_counts(w, *consistency, *received, *block_for);
                failures.encode(w, dialect)?;
                w.byte(u8::from(*data_present));
            }
            ErrorDetail::WriteFailure { consistency, received, block_for, failures, write_type } => {
                encode_counts(w, *consistency, *received, *block_for);
                failures.encode(w, dialect)?;
                w.string(write_type, "ERROR.write_type")?;
            }
            ErrorDetail::FunctionFailure { keyspace, function, argument_types } => {
                w.string(keyspace, "ERROR.keyspace")?;
                w.string(function, "ERROR.function")?;
                w.string_list(argument_types, "ERROR.arg_types")?;
            }
            ErrorDetail::CasWriteUnknown { consistency, received, block_for } => encode_counts(w, *consistency, *received, *block_for),
            ErrorDetail::AlreadyExists { keyspace, table } => {
                w.string(keyspace, "ERROR.ks")?;
                w.string(table, "ERROR.table")?;
            }
            ErrorDetail::Unprepared { statement_id } => w.short_bytes(statement_id, "ERROR.id")?,
            ErrorDetail::RateLimit { op_type, rejected_by_coordinator } => {
                w.byte(*op_type);
                w.byte(u8::from(*rejected_by_coordinator));
            }
            ErrorDetail::None {} => {}
        }
        Ok(())
    }
}

/// `<cl><received><blockfor>`; of UNAVAILABLE `<cl><required><alive>`.
fn encode_counts(w: &mut Writer, consistency: Consistency, first: i32, second: i32) {
    w.consistency(consistency);
    w.int(first);
    w.int(second);
}

/// `<cl><received><blockfor>`
fn decode_counts(r: &mut Reader<'_>) -> Result<(Consistency, i32, i32)> {
    Ok((r.consistency("ERROR.cl")?, r.int("ERROR.received")?, r.int("ERROR.block_for")?))
}

impl Failures {
    fn decode(r: &mut Reader<'_>, dialect: Dialect) -> Result<Failures> {
        if !dialect.has_failure_reasons() {
            return Ok(Failures { count: r.int("ERROR.num_failures")?, reasons: Vec::new() });
        }
        let count = r.count(7, "ERROR.reason_map")?; // an address of 1 + 4 bytes and a code of 2
        let reason = |r: &mut Reader<'_>| Ok((r.inetaddr("ERROR.reason_map.endpoint")?, r.short("ERROR.reason_map.code")?));
        let reason = |index| r.group("ERROR.reason_map", index, reason);
        Ok(Failures { count: count as i32, reasons: (0..count).map(reason).collect::<Result<_>>()? })
    }

    /// v5 writes the reasons, whose number is the count; before, the count alone.
    fn encode(&self, w: &mut Writer, dialect: Dialect) -> Result<()> {
        if !dialect.has_failure_reasons() {
            w.int(self.count);
            return Ok(());
        }
        w.int_len(self.reasons.len(), "ERROR.reason_map")?;
        for (address, code) in &self.reasons {
            w.inetaddr(*address);
            w.short(*code);
        }
        Ok(())
    }
}
