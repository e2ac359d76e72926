//! QUERY, EXECUTE and BATCH built step by step, straight into the output: for callers whose values are not bytes yet. The order is
//! `begin_query` | `begin_execute` | `begin_batch`, then for BATCH `statement`, then for each value `value` and one call of the
//! binder (or `begin` … `end`), then `end_request`. After any error the request is taken back with `abort_request`.

use alloc::sync::Arc;

use super::{Conn, FrameOptions, Role};
use crate::message::batch::BatchWriter;
use crate::message::params::ParamsWriter;
use crate::message::{RequestOptions, Statement, execute, query};
use crate::spec::{Consistency, Opcode};
use crate::value::{Binder, CqlType};
use crate::wire::{Error, ErrorKind, Result, Writer};

/// The request that is being built.
#[derive(Debug, Default)]
pub struct Building {
    message: Message,
    binder: Binder,
}

#[derive(Debug, Default)]
enum Message {
    #[default]
    None,
    Params(ParamsWriter),
    Batch(BatchWriter, Consistency),
}

impl Conn {
    /// Begins a QUERY.
    pub fn begin_query(&mut self, stream: i16, frame: &FrameOptions<'_>, text: &str, consistency: Consistency) -> Result<()> {
        let dialect = self.dialect;
        self.begin(Opcode::Query, stream, frame, |w| query::open(w, text, consistency, dialect).map(Message::Params))
    }

    /// Begins an EXECUTE.
    pub fn begin_execute(
        &mut self,
        stream: i16,
        frame: &FrameOptions<'_>,
        id: &[u8],
        result_metadata_id: &[u8],
        consistency: Consistency,
    ) -> Result<()> {
        let dialect = self.dialect;
        self.begin(Opcode::Execute, stream, frame, |w| execute::open(w, id, result_metadata_id, consistency, dialect).map(Message::Params))
    }

    /// Begins a BATCH.
    pub fn begin_batch(&mut self, stream: i16, frame: &FrameOptions<'_>, batch_type: u8, consistency: Consistency) -> Result<()> {
        let dialect = self.dialect;
        self.begin(Opcode::Batch, stream, frame, |w| Ok(Message::Batch(BatchWriter::open(w, batch_type, dialect)?, consistency)))
    }

    fn begin(
        &mut self,
        opcode: Opcode,
        stream: i16,
        frame: &FrameOptions<'_>,
        open: impl FnOnce(&mut Writer) -> Result<Message>,
    ) -> Result<()> {
        self.expect(Role::Client)?;
        self.output.begin_request(opcode, stream, frame, self.dialect)?;
        match open(self.output.writer()) {
            Ok(message) => {
                self.building = Building { message, binder: Binder::new() };
                Ok(())
            }
            Err(error) => {
                self.abort_request();
                Err(error)
            }
        }
    }

    /// Begins the next statement of a BATCH.
    pub fn statement(&mut self, statement: Statement<'_>) -> Result<()> {
        let w = self.output.writer();
        match &mut self.building {
            Building { message: Message::Batch(batch, _), binder } if binder.is_idle() => batch.open_statement(w, statement),
            _ => Err(misuse(w, "BATCH.statement")),
        }
    }

    /// Begins the next value: a whole parameter of type `ty`. With a name only in QUERY and EXECUTE, and then all have one.
    pub fn value(&mut self, ty: Arc<CqlType>, name: Option<&str>) -> Result<()> {
        let w = self.output.writer();
        if !self.building.binder.is_idle() {
            return Err(misuse(w, "params.value"));
        }
        match &mut self.building.message {
            Message::Params(params) => {
                if params.count() == 0 {
                    params.open_values(w, name.is_some())?;
                }
                params.next_value(w, name)?;
            }
            Message::Batch(batch, _) if name.is_none() => batch.next_value(w)?,
            _ => return Err(misuse(w, "params.value")),
        }
        self.building.binder.start(ty);
        Ok(())
    }

    /// The binder and the buffer it appends to, to write the value that [`Conn::value`] began.
    pub fn binder(&mut self) -> (&mut Binder, &mut Writer) {
        (&mut self.building.binder, self.output.writer())
    }

    /// "Not set", refused where the version has none.
    pub fn unset(&mut self) -> Result<()> {
        let has_unset = self.dialect.has_unset();
        let (binder, w) = self.binder();
        if has_unset { binder.unset(w) } else { Err(Error::new(ErrorKind::Unsupported, "params.value (unset)", w.len())) }
    }

    /// Ends the request. On an error nothing of it is left in the output.
    pub fn end_request(&mut self, options: &RequestOptions<'_>) -> Result<()> {
        let building = core::mem::take(&mut self.building);
        let w = self.output.writer();
        let result = match building {
            Building { binder, .. } if !binder.is_idle() => Err(misuse(w, "params.value")),
            Building { message: Message::Params(params), .. } => params.close(w, options),
            Building { message: Message::Batch(batch, consistency), .. } => batch.close(w, consistency, options),
            Building { message: Message::None, .. } => return Err(misuse(w, "frame")),
        };
        self.finish(result)
    }

    /// Takes back the request that is being built.
    pub fn abort_request(&mut self) {
        self.building = Building::default();
        self.output.abort();
    }
}

#[cold]
fn misuse(w: &Writer, what: &'static str) -> Error {
    Error::new(ErrorKind::Misuse, what, w.len())
}
