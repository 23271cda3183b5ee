//! Tables as Apache Parquet files: flat columns of numbers and texts, some with gaps, zstd-compressed.
//!
//! The smallest part of the format that every reader knows: a page per column and row group, plain values, definition
//! levels packed into bits, metadata in Thrift's compact protocol. It is written from front to back, so standard output
//! will do. The `parquet` crate would bring ten crates and a second zstd for this one file.

use std::io::{self, Write};

const MAGIC: &[u8] = b"PAR1";
/// Rows per group: large enough to compress well, small enough to keep in memory.
const GROUP_ROWS: usize = 1 << 18;
const ZSTD_LEVEL: i32 = 3;

/// The kind of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ColumnKind {
    /// Unsigned numbers of 32 bits.
    Number,
    /// UTF-8.
    Text,
}

/// A column: its name, its kind, and whether cells may be empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) kind: ColumnKind,
    pub(super) is_optional: bool,
}

/// A cell; `None` for an empty one, which only an optional column may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cell<'a> {
    Number(Option<u32>),
    Text(Option<&'a str>),
}

/// The cells of a column in the current row group.
#[derive(Clone, Default, Debug)]
struct Cells {
    /// The values that are there, encoded.
    values: Vec<u8>,
    /// A bit per row: whether there is a value.
    levels: Vec<u8>,
}

/// The place of a column's page in the file.
#[derive(Clone, Copy, Debug)]
struct Page {
    offset: u64,
    bytes: u64,
    raw_bytes: u64,
}

/// A row group that is in the file.
#[derive(Clone, Debug)]
struct Group {
    rows: usize,
    pages: Vec<Page>,
}

/// Writes a table row by row.
pub(super) struct ParquetWriter<'a> {
    out: &'a mut dyn Write,
    columns: Vec<Column>,
    cells: Vec<Cells>,
    rows: usize,
    groups: Vec<Group>,
    offset: u64,
}

impl<'a> ParquetWriter<'a> {
    pub(super) fn new(out: &'a mut dyn Write, columns: Vec<Column>) -> io::Result<ParquetWriter<'a>> {
        out.write_all(MAGIC)?;
        let cells = vec![Cells::default(); columns.len()];
        Ok(ParquetWriter { out, columns, cells, rows: 0, groups: Vec::new(), offset: MAGIC.len() as u64 })
    }

    /// Adds a row; its cells are in the order of the columns.
    pub(super) fn row(&mut self, row: &[Cell<'_>]) -> io::Result<()> {
        debug_assert_eq!(row.len(), self.columns.len());
        for (cells, cell) in self.cells.iter_mut().zip(row) {
            let is_there = match *cell {
                Cell::Number(number) => {
                    cells.values.extend(number.iter().flat_map(|number| number.to_le_bytes()));
                    number.is_some()
                }
                Cell::Text(text) => {
                    let bytes = text.unwrap_or_default().as_bytes();
                    text.iter().for_each(|_| cells.values.extend((bytes.len() as u32).to_le_bytes()));
                    cells.values.extend(bytes);
                    text.is_some()
                }
            };
            if self.rows.is_multiple_of(8) {
                cells.levels.push(0);
            }
            if let Some(last) = cells.levels.last_mut() {
                *last |= u8::from(is_there) << (self.rows % 8);
            }
        }
        self.rows += 1;
        if self.rows == GROUP_ROWS { self.end_group() } else { Ok(()) }
    }

    /// Writes the rest and the metadata.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.rows > 0 {
            self.end_group()?;
        }
        let metadata = self.metadata();
        self.out.write_all(&metadata)?;
        self.out.write_all(&(metadata.len() as u32).to_le_bytes())?;
        self.out.write_all(MAGIC)?;
        self.out.flush()
    }

    /// Writes the pages of the current rows.
    fn end_group(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let mut pages = Vec::with_capacity(self.columns.len());
        for (column, cells) in self.columns.iter().zip(&mut self.cells) {
            let Cells { values, levels } = std::mem::take(cells);
            let mut raw = Vec::with_capacity(values.len() + levels.len() + 8);
            if column.is_optional {
                // One run of bit-packed levels, by its length in bytes.
                let mut run = Vec::with_capacity(levels.len() + 4);
                varint(&mut run, (levels.len() as u64) << 1 | 1);
                run.extend(&levels);
                raw.extend((run.len() as u32).to_le_bytes());
                raw.extend(run);
            }
            raw.extend(values);
            let packed = zstd::bulk::compress(&raw, ZSTD_LEVEL)?;
            let mut header = Struct::default();
            header.i32(1, PAGE_TYPE_DATA).i32(2, raw.len() as i32).i32(3, packed.len() as i32);
            let mut data = Struct::default();
            data.i32(1, rows as i32).i32(2, ENCODING_PLAIN).i32(3, ENCODING_RLE).i32(4, ENCODING_RLE);
            header.structure(5, data);
            let header = header.end();
            self.out.write_all(&header)?;
            self.out.write_all(&packed)?;
            let (bytes, raw_bytes) = ((header.len() + packed.len()) as u64, (header.len() + raw.len()) as u64);
            pages.push(Page { offset: self.offset, bytes, raw_bytes });
            self.offset += bytes;
        }
        self.groups.push(Group { rows, pages });
        Ok(())
    }

    /// `FileMetaData` of the format.
    fn metadata(&self) -> Vec<u8> {
        let mut root = Struct::default();
        root.binary(4, "table").i32(5, self.columns.len() as i32);
        let schema = self.columns.iter().map(|column| {
            let (kind, converted) = column.kind.codes();
            let mut element = Struct::default();
            element.i32(1, kind).i32(3, i32::from(column.is_optional)).binary(4, column.name).i32(6, converted);
            element
        });
        let schema: Vec<Struct> = std::iter::once(root).chain(schema).collect();
        let groups = self.groups.iter().map(|group| self.group(group)).collect();
        let rows: usize = self.groups.iter().map(|group| group.rows).sum();
        let mut file = Struct::default();
        file.i32(1, 1).structures(2, schema).i64(3, rows as u64).structures(4, groups);
        file.binary(6, concat!("tesuji ", env!("CARGO_PKG_VERSION")));
        file.end()
    }

    /// `RowGroup` of the format.
    fn group(&self, group: &Group) -> Struct {
        let chunks = self.columns.iter().zip(&group.pages).map(|(column, page)| {
            let mut data = Struct::default();
            data.i32(1, column.kind.codes().0)
                .i32s(2, &[ENCODING_PLAIN, ENCODING_RLE])
                .binaries(3, &[column.name])
                .i32(4, CODEC_ZSTD)
                .i64(5, group.rows as u64)
                .i64(6, page.raw_bytes)
                .i64(7, page.bytes)
                .i64(9, page.offset);
            let mut chunk = Struct::default();
            chunk.i64(2, page.offset).structure(3, data);
            chunk
        });
        let chunks: Vec<Struct> = chunks.collect();
        let raw_bytes = group.pages.iter().map(|page| page.raw_bytes).sum();
        let mut row_group = Struct::default();
        row_group.structures(1, chunks).i64(2, raw_bytes).i64(3, group.rows as u64);
        row_group
    }
}

const PAGE_TYPE_DATA: i32 = 0;
const ENCODING_PLAIN: i32 = 0;
const ENCODING_RLE: i32 = 3;
const CODEC_ZSTD: i32 = 6;

impl ColumnKind {
    /// The physical type and the converted type.
    fn codes(self) -> (i32, i32) {
        match self {
            ColumnKind::Number => (1, 13),
            ColumnKind::Text => (6, 0),
        }
    }
}

/// A structure in Thrift's compact protocol. Fields are added in the order of their numbers.
#[derive(Default)]
struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

/// Types of the compact protocol.
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

impl Struct {
    fn field(&mut self, number: u8, kind: u8) -> &mut Vec<u8> {
        // A step of up to 15 fits into the byte of the type; ours do.
        self.bytes.push((number - self.last) << 4 | kind);
        self.last = number;
        &mut self.bytes
    }

    fn i32(&mut self, number: u8, value: i32) -> &mut Struct {
        varint(self.field(number, I32), zigzag(value));
        self
    }

    fn i64(&mut self, number: u8, value: u64) -> &mut Struct {
        varint(self.field(number, I64), value << 1);
        self
    }

    fn binary(&mut self, number: u8, text: &str) -> &mut Struct {
        binary(self.field(number, BINARY), text);
        self
    }

    fn structure(&mut self, number: u8, value: Struct) -> &mut Struct {
        let value = value.end();
        self.field(number, STRUCT).extend(value);
        self
    }

    fn list(&mut self, number: u8, kind: u8, count: usize) -> &mut Vec<u8> {
        let bytes = self.field(number, LIST);
        if count < 15 {
            bytes.push((count as u8) << 4 | kind);
        } else {
            bytes.push(0xf0 | kind);
            varint(bytes, count as u64);
        }
        bytes
    }

    fn i32s(&mut self, number: u8, values: &[i32]) -> &mut Struct {
        let bytes = self.list(number, I32, values.len());
        values.iter().for_each(|&value| varint(bytes, zigzag(value)));
        self
    }

    fn binaries(&mut self, number: u8, texts: &[&str]) -> &mut Struct {
        let bytes = self.list(number, BINARY, texts.len());
        texts.iter().for_each(|text| binary(bytes, text));
        self
    }

    fn structures(&mut self, number: u8, values: Vec<Struct>) -> &mut Struct {
        let bytes = self.list(number, STRUCT, values.len());
        values.into_iter().for_each(|value| bytes.extend(value.end()));
        self
    }

    fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

fn zigzag(value: i32) -> u64 {
    u64::from((value << 1 ^ value >> 31) as u32)
}

/// Seven bits per byte, the lowest first.
fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn binary(bytes: &mut Vec<u8>, text: &str) {
    varint(bytes, text.len() as u64);
    bytes.extend(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// A value of the compact protocol as a reader sees it.
    #[derive(Clone, PartialEq, Debug)]
    enum Thrift {
        Number(i64),
        Text(String),
        List(Vec<Thrift>),
        Struct(BTreeMap<u8, Thrift>),
    }

    impl Thrift {
        fn at(&self, number: u8) -> &Thrift {
            let Thrift::Struct(fields) = self else { panic!("{self:?} is no structure") };
            &fields[&number]
        }

        fn number(&self) -> usize {
            let Thrift::Number(number) = self else { panic!("{self:?} is no number") };
            usize::try_from(*number).unwrap()
        }

        fn list(&self) -> &[Thrift] {
            let Thrift::List(list) = self else { panic!("{self:?} is no list") };
            list
        }
    }

    fn read_varint(bytes: &mut &[u8]) -> u64 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = bytes[0];
            *bytes = &bytes[1..];
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return value;
            }
        }
    }

    fn read(bytes: &mut &[u8], kind: u8) -> Thrift {
        match kind {
            I32 | I64 => {
                let value = read_varint(bytes);
                Thrift::Number((value >> 1) as i64 ^ -((value & 1) as i64))
            }
            BINARY => {
                let length = read_varint(bytes) as usize;
                let (text, rest) = bytes.split_at(length);
                *bytes = rest;
                Thrift::Text(String::from_utf8(text.to_vec()).unwrap())
            }
            LIST => {
                let head = bytes[0];
                *bytes = &bytes[1..];
                let count = if head >> 4 == 15 { read_varint(bytes) } else { u64::from(head >> 4) };
                Thrift::List((0..count).map(|_| read(bytes, head & 15)).collect())
            }
            STRUCT => {
                let (mut fields, mut number) = (BTreeMap::new(), 0);
                loop {
                    let head = bytes[0];
                    *bytes = &bytes[1..];
                    if head == 0 {
                        return Thrift::Struct(fields);
                    }
                    number += head >> 4;
                    fields.insert(number, read(bytes, head & 15));
                }
            }
            other => panic!("type {other}"),
        }
    }

    /// The columns of a file, as a reader finds them by its metadata.
    fn columns(file: &[u8]) -> Vec<Vec<Option<String>>> {
        assert!(file.starts_with(MAGIC) && file.ends_with(MAGIC));
        let end = file.len() - 8;
        let length = u32::from_le_bytes(file[end..end + 4].try_into().unwrap()) as usize;
        let metadata = read(&mut &file[end - length..end], STRUCT);
        let schema = &metadata.at(2).list()[1..];
        let mut columns = vec![Vec::new(); schema.len()];
        let mut rows = 0;
        for group in metadata.at(4).list() {
            rows += group.at(3).number();
            for ((chunk, element), column) in group.at(1).list().iter().zip(schema).zip(&mut columns) {
                let data = chunk.at(3);
                let (at, bytes) = (data.at(9).number(), data.at(7).number());
                let mut page = &file[at..at + bytes];
                let header = read(&mut page, STRUCT);
                assert_eq!(page.len(), header.at(3).number());
                assert_eq!(data.at(6).number() - header.at(2).number(), bytes - page.len());
                let raw = zstd::bulk::decompress(page, header.at(2).number()).unwrap();
                let count = header.at(5).at(1).number();
                assert_eq!((count, data.at(5).number()), (group.at(3).number(), count));
                let (mut raw, mut levels) = (&raw[..], vec![true; count]);
                if element.at(3).number() == 1 {
                    let length = u32::from_le_bytes(raw[..4].try_into().unwrap()) as usize;
                    let mut run = &raw[4..4 + length];
                    assert_eq!(read_varint(&mut run), (count.div_ceil(8) as u64) << 1 | 1);
                    levels = (0..count).map(|row| run[row / 8] >> (row % 8) & 1 == 1).collect();
                    raw = &raw[4 + length..];
                }
                for is_there in levels {
                    column.push(is_there.then(|| {
                        let number = u32::from_le_bytes(raw[..4].try_into().unwrap());
                        raw = &raw[4..];
                        if element.at(1).number() == 1 {
                            return number.to_string();
                        }
                        let (text, rest) = raw.split_at(number as usize);
                        raw = rest;
                        String::from_utf8(text.to_vec()).unwrap()
                    }));
                }
                assert!(raw.is_empty());
            }
        }
        assert_eq!(metadata.at(3).number(), rows);
        columns
    }

    const COLUMNS: [Column; 3] = [
        Column { name: "index", kind: ColumnKind::Number, is_optional: false },
        Column { name: "plies", kind: ColumnKind::Number, is_optional: true },
        Column { name: "text", kind: ColumnKind::Text, is_optional: true },
    ];

    fn written(rows: u32) -> Vec<u8> {
        let mut file = Vec::new();
        let mut writer = ParquetWriter::new(&mut file, COLUMNS.to_vec()).unwrap();
        for row in 0..rows {
            let text = (row % 7 < 4).then(|| text_of(row));
            let plies = (row % 3 != 1).then_some(row * 1000);
            let cells = [Cell::Number(Some(row)), Cell::Number(plies), Cell::Text(text.as_deref())];
            writer.row(&cells).unwrap();
        }
        writer.finish().unwrap();
        file
    }

    fn text_of(row: u32) -> String {
        format!("row {row}")
    }

    #[test]
    fn a_reader_finds_every_cell() {
        for rows in [0, 1, 7, 8, 9, 1000, GROUP_ROWS as u32, GROUP_ROWS as u32 + 5] {
            let found = columns(&written(rows));
            assert_eq!(found.len(), COLUMNS.len());
            assert!(found.iter().all(|column| column.len() == rows as usize), "{rows}");
            for row in 0..rows {
                let [index, plies, text] = [0, 1, 2].map(|column: usize| found[column][row as usize].clone());
                assert_eq!(index, Some(row.to_string()));
                assert_eq!(plies, (row % 3 != 1).then(|| (row * 1000).to_string()));
                assert_eq!(text, (row % 7 < 4).then(|| text_of(row)));
            }
        }
    }
}
