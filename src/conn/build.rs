//! QUERY, EXECUTE, BATCH and, on a server's side, Rows built step by step, straight into the output: for callers whose values are not
//! bytes yet. The order is `begin_query` | `begin_execute` | `begin_batch` | `begin_rows`, then for BATCH `statement`, then for each value
//! `value` and one call of the binder (or `begin` … `end`), then `end_request` or `end_rows`. After any error the message is taken back with
//! `abort_message`.

use alloc::sync::Arc;

use super::{Conn, FrameOptions, Role};
use crate::frame::Prefix;
use crate::message::batch::BatchWriter;
use crate::message::params::ParamsWriter;
use crate::message::rows::RowsWriter;
use crate::message::{ColumnSpec, RequestOptions, RowsMetadata, Statement, execute, query};
use crate::spec::code::result_kind;
use crate::spec::{Consistency, Opcode};
use crate::value::{Binder, CqlType, Steps, Target};
use crate::wire::{Error, ErrorKind, Result, Writer};

/// The message that is being built.
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
    Rows(RowsWriter),
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
        let opened = open(self.output.writer());
        self.build(opened)
    }

    fn build(&mut self, opened: Result<Message>) -> Result<()> {
        match opened {
            Ok(message) => {
                self.building = Building { message, binder: Binder::new() };
                Ok(())
            }
            Err(error) => {
                self.abort_message();
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
        self.building.message.next_value(w, name)?;
        self.building.binder.start(ty);
        Ok(())
    }

    /// Does `steps`, whose parameters are of these columns; a statement that begins in them is `id`.
    pub fn run(&mut self, steps: &mut Steps<'_>, columns: &[ColumnSpec], id: &[u8]) -> Result<()> {
        let has_unset = self.has_unset();
        let Building { message, binder } = &mut self.building;
        let result = steps.run(&mut Values { message, columns, id, has_unset }, binder, self.output.writer());
        if result.is_err() {
            *message = Message::None; // only to be aborted: it may lack a value that it has counted
        }
        result
    }

    /// A list of no values: not the same bytes as no list.
    pub fn no_values(&mut self) -> Result<()> {
        let w = self.output.writer();
        match &mut self.building.message {
            Message::Params(params) => params.open_values(w, false),
            _ => Err(misuse(w, "params.values")),
        }
    }

    /// The binder and the buffer it appends to, to write the value that [`Conn::value`] began.
    pub fn binder(&mut self) -> (&mut Binder, &mut Writer) {
        (&mut self.building.binder, self.output.writer())
    }

    /// "Not set", refused where the version has none.
    pub fn unset(&mut self) -> Result<()> {
        let has_unset = self.has_unset();
        let (binder, w) = self.binder();
        if has_unset { binder.unset(w) } else { Err(Error::new(ErrorKind::Unsupported, "params.value (unset)", w.len())) }
    }

    fn has_unset(&self) -> bool {
        self.dialect.has_unset() && !matches!(self.building.message, Message::Rows(_))
    }

    /// Begins Rows, the answer to a SELECT.
    pub fn begin_rows(&mut self, stream: i16, prefix: &Prefix<'_>, metadata: &RowsMetadata<'_>) -> Result<()> {
        self.expect(Role::Server)?;
        self.output.begin(Opcode::Result, stream, 0, prefix, self.dialect)?;
        let w = self.output.writer();
        w.int(result_kind::ROWS);
        let opened = RowsWriter::open(w, metadata, self.dialect).map(Message::Rows);
        self.build(opened)
    }

    /// Ends Rows. On an error nothing of it is left in the output.
    pub fn end_rows(&mut self, row_count: usize) -> Result<()> {
        let building = core::mem::take(&mut self.building);
        let w = self.output.writer();
        let result = match building {
            Building { binder, .. } if !binder.is_idle() => Err(misuse(w, "ROWS.cell")),
            Building { message: Message::Rows(rows), .. } => rows.close(w, row_count),
            _ => return Err(misuse(w, "frame")),
        };
        self.finish(result)
    }

    /// Ends the request. On an error nothing of it is left in the output.
    pub fn end_request(&mut self, options: &RequestOptions<'_>) -> Result<()> {
        let building = core::mem::take(&mut self.building);
        let w = self.output.writer();
        let result = match building {
            Building { binder, .. } if !binder.is_idle() => Err(misuse(w, "params.value")),
            Building { message: Message::Params(params), .. } => params.close(w, options),
            Building { message: Message::Batch(batch, consistency), .. } => batch.close(w, consistency, options),
            Building { message: Message::None | Message::Rows(_), .. } => return Err(misuse(w, "frame")),
        };
        self.finish(result)
    }

    /// Takes back the message that is being built.
    pub fn abort_message(&mut self) {
        self.building = Building::default();
        self.output.abort();
    }
}

impl Message {
    fn next_value(&mut self, w: &mut Writer, name: Option<&str>) -> Result<()> {
        match self {
            Message::Params(params) => {
                if params.count() == 0 {
                    params.open_values(w, name.is_some())?;
                }
                params.next_value(w, name)
            }
            Message::Batch(batch, _) if name.is_none() => batch.next_value(w),
            Message::Rows(rows) if name.is_none() => {
                rows.next_cell();
                Ok(())
            }
            _ => Err(misuse(w, "params.value")),
        }
    }
}

/// What steps of values are for: the message that is being built.
struct Values<'a> {
    message: &'a mut Message,
    columns: &'a [ColumnSpec],
    id: &'a [u8],
    has_unset: bool,
}

impl Target for Values<'_> {
    fn statement(&mut self, w: &mut Writer) -> Result<()> {
        match self.message {
            Message::Batch(batch, _) => batch.open_statement(w, Statement::Prepared(self.id)),
            _ => Err(misuse(w, "BATCH.statement")),
        }
    }

    fn parameter(&mut self, w: &mut Writer, column: usize) -> Result<&Arc<CqlType>> {
        let column = self.columns.get(column).ok_or_else(|| Error::new(ErrorKind::WrongCount, "params.values", w.len()))?;
        self.message.next_value(w, None)?;
        Ok(&column.ty)
    }

    fn has_unset(&self) -> bool {
        self.has_unset
    }
}

#[cold]
fn misuse(w: &Writer, what: &'static str) -> Error {
    Error::new(ErrorKind::Misuse, what, w.len())
}
