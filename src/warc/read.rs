//! `WarcReader`, an archive split into records, with a place in the file for everything that could not be read.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use flate2::bufread::GzDecoder;
use zstd::stream::read::Decoder;

/// What a member of each packing begins with.
const GZIP: &[u8] = &[0x1f, 0x8b, 0x08];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// Skippable frames of zstd are `0x184D2A50` to `0x184D2A5F`, little end first; that of a dictionary ends in `5D`.
const SKIPPABLE: &[u8] = &[0x2a, 0x4d, 0x18];
const DICTIONARY: u8 = 0x5d;
/// What a record begins with, and the end of the line before.
const RECORD: &[u8] = b"\nWARC/";
/// The longest header of a record.
const MOST_HEADER: usize = 64 << 10;
/// The largest dictionary.
const MOST_DICTIONARY: u32 = 16 << 20;

/// A record as it stands in the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawRecord {
    /// Where it begins in the file: the record itself in a plain archive, else its member or frame.
    pub offset: u64,
    /// Its header and block. The block is left out, and `is_too_large` set, where it is larger than the reader's limit.
    pub bytes: Vec<u8>,
    /// Whether the block was left out.
    pub is_too_large: bool,
}

/// A part of an archive that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// Where in the file: as [`RawRecord::offset`].
    pub offset: u64,
    /// What is wrong there.
    pub problem: String,
}

/// How an archive is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Packing {
    Plain,
    Gzip,
    Zstd,
}

/// The member that is being read.
enum Member<R> {
    /// The rest of a plain archive.
    Plain(BufReader<R>),
    Gzip(Box<BufReader<GzDecoder<BufReader<R>>>>),
    Zstd(Box<BufReader<Decoder<'static, BufReader<R>>>>),
}

impl<R: Read> Member<R> {
    fn content(&mut self) -> &mut dyn BufRead {
        match self {
            Member::Plain(content) => content,
            Member::Gzip(content) => &mut **content,
            Member::Zstd(content) => &mut **content,
        }
    }

    fn into_file(self) -> BufReader<R> {
        match self {
            Member::Plain(file) => file,
            Member::Gzip(content) => content.into_inner().into_inner(),
            Member::Zstd(content) => content.into_inner().finish(),
        }
    }
}

/// Reads an archive record by record; gzip, zstd or plain is told by its first bytes.
///
/// An iterator over records and damage, in the order of the file. It ends at the end of the file whatever is in it.
///
/// # Cost
/// Unpacking, and memory for one record.
///
/// # Examples
/// ```
/// use duramen::warc::WarcReader;
/// let record = "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 5\r\n\r\nHello\r\n\r\n";
/// let archive = format!("{record}{}", &record[..record.len() - 6]);
/// let items: Vec<_> = WarcReader::new(std::io::Cursor::new(archive), 1 << 20)?.collect();
/// assert_eq!(items[0].as_ref().unwrap().bytes.len(), record.len() - 4);
/// assert_eq!(items[1].as_ref().unwrap_err().problem, "3 of the 5 bytes of this record are there");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct WarcReader<R> {
    packing: Packing,
    dictionary: Vec<u8>,
    /// The file between members, or the member that is being read; nothing at the end.
    state: Option<State<R>>,
    /// Where the member begins, in a plain archive what is being read.
    offset: u64,
    /// Whether [`RECORD`] was read already.
    is_in_record: bool,
    /// The largest block that is kept.
    most: u64,
    /// What was found behind the record that was given last.
    pending: Option<Damage>,
}

enum State<R> {
    Between(BufReader<R>),
    Inside(Member<R>),
}

/// What a step through the archive found.
enum Step {
    /// Its bytes, and whether its block was left out.
    Record(Vec<u8>, bool),
    /// The end of the member.
    End,
    /// Something is wrong with the record, and the next may be found by its beginning.
    Broken(String),
    /// Something is wrong with the packing.
    Unpackable(String),
}

impl<R: Read + Seek> WarcReader<R> {
    /// Reads from the beginning of a file; a block larger than `most` bytes is passed over.
    ///
    /// # Errors
    /// If the file cannot be read, or the dictionary of zstd that it begins with is cut or damaged. A pipe must be copied to a file first, since reading goes back where there is damage.
    pub fn new(file: R, most: u64) -> io::Result<Self> {
        let mut file = BufReader::with_capacity(1 << 16, file);
        let start = file.fill_buf()?;
        let packing = match start {
            _ if start.starts_with(GZIP) => Packing::Gzip,
            _ if start.starts_with(ZSTD) || is_skippable(start) => Packing::Zstd,
            _ => Packing::Plain,
        };
        let mut reader = WarcReader {
            packing,
            dictionary: Vec::new(),
            state: None,
            offset: 0,
            is_in_record: false,
            most,
            pending: None,
        };
        if packing == Packing::Zstd {
            reader.dictionary = read_dictionary(&mut file)?;
        }
        reader.state = Some(State::Between(file));
        Ok(reader)
    }

    /// The records whose member begins in a range of bytes of the file, for readers that share an archive: over ranges that
    /// follow each other from 0 to the file's length no record is left out and none comes twice.
    ///
    /// A plain archive has no members and belongs to the range that begins at 0; of an archive that is one member of many
    /// records the same is true. Damage before the first member that can be read in a range is not told of.
    ///
    /// # Errors
    /// As [`WarcReader::new`].
    pub fn in_range(
        file: R,
        most: u64,
        range: std::ops::Range<u64>,
    ) -> io::Result<impl Iterator<Item = Result<RawRecord, Damage>>> {
        let mut reader = WarcReader::new(file, most)?;
        let is_plain = reader.packing == Packing::Plain && !range.is_empty();
        if range.start > 0 {
            reader.state = match reader.state.take() {
                Some(State::Between(file)) => {
                    reader.offset = range.start - 1;
                    reader.find_member(file)?
                }
                other => other,
            };
        }
        // The magic number of a member may stand inside another by chance.
        let is_chance = move |item: &Result<RawRecord, Damage>| range.start > 0 && item.is_err();
        let is_inside = move |item: &Result<RawRecord, Damage>| {
            let (Ok(RawRecord { offset, .. }) | Err(Damage { offset, .. })) = item;
            is_plain || *offset < range.end
        };
        Ok(reader.skip_while(is_chance).take_while(is_inside))
    }

    /// Opens the member that begins here; nothing at the end of the file.
    fn open(&mut self, mut file: BufReader<R>) -> io::Result<Option<Member<R>>> {
        loop {
            if self.packing != Packing::Plain {
                self.offset = file.stream_position()?;
            }
            let start = file.fill_buf()?;
            if start.is_empty() {
                return Ok(None);
            }
            if self.packing != Packing::Zstd || !is_skippable(start) {
                break;
            }
            skip_frame(&mut file)?;
        }
        Ok(Some(match self.packing {
            Packing::Plain => Member::Plain(file),
            Packing::Gzip => Member::Gzip(Box::new(BufReader::new(GzDecoder::new(file)))),
            Packing::Zstd => {
                let frame = Decoder::with_dictionary(file, &self.dictionary)?.single_frame();
                Member::Zstd(Box::new(BufReader::new(frame)))
            }
        }))
    }

    /// Goes on at the next member behind the beginning of the one that could not be unpacked.
    fn find_member(&mut self, mut file: BufReader<R>) -> io::Result<Option<State<R>>> {
        if self.packing == Packing::Plain {
            // Not the packing but the disk failed.
            return Ok(None);
        }
        file.seek(SeekFrom::Start(self.offset + 1))?;
        let magic = if self.packing == Packing::Gzip { GZIP } else { ZSTD };
        if skip_past(&mut file, magic, 0)? {
            file.seek_relative(-(magic.len() as i64))?;
        }
        Ok(Some(State::Between(file)))
    }

    /// Reads what stands behind a record up to the next one: at the end of a member its checksum, and a record that fails it is
    /// not what was archived.
    fn read_behind(&mut self, member: &mut Member<R>) -> io::Result<()> {
        if matches!(member, Member::Plain(_)) {
            return Ok(());
        }
        let content = member.content();
        if skip_empty_lines(content)? && content.fill_buf()?[0] != RECORD[1] {
            self.is_in_record = skip_past(content, RECORD, 1)?;
            self.pending = Some(Damage { offset: self.offset, problem: "no record begins here".to_owned() });
        }
        Ok(())
    }

    fn advance(&mut self) -> io::Result<Option<Result<RawRecord, Damage>>> {
        loop {
            let mut member = match self.state.take() {
                None => return Ok(None),
                Some(State::Inside(member)) => member,
                Some(State::Between(file)) => match self.open(file)? {
                    Some(member) => member,
                    None => return Ok(None),
                },
            };
            let is_in_record = std::mem::take(&mut self.is_in_record);
            let more = if is_in_record { Ok(true) } else { skip_empty_lines(member.content()) };
            if let Member::Plain(file) = &mut member {
                let read = if is_in_record { RECORD.len() as u64 - 1 } else { 0 };
                self.offset = file.stream_position()? - read;
            }
            let offset = self.offset;
            let step = match more {
                Ok(true) => read_record(member.content(), is_in_record, self.most),
                Ok(false) => Step::End,
                Err(error) => Step::Unpackable(unpackable(&error)),
            };
            let problem = match step {
                Step::End => {
                    self.state = Some(State::Between(member.into_file()));
                    continue;
                }
                Step::Record(bytes, is_too_large) => match self.read_behind(&mut member) {
                    Ok(()) => {
                        self.state = Some(State::Inside(member));
                        return Ok(Some(Ok(RawRecord { offset, bytes, is_too_large })));
                    }
                    Err(error) => {
                        self.state = self.find_member(member.into_file())?;
                        unpackable(&error)
                    }
                },
                Step::Broken(problem) => {
                    // A line has ended, or the record was cut anywhere.
                    let found = skip_past(member.content(), RECORD, 1);
                    self.is_in_record = matches!(found, Ok(true));
                    self.state = match found {
                        Ok(_) => Some(State::Inside(member)),
                        Err(_) => self.find_member(member.into_file())?,
                    };
                    problem
                }
                Step::Unpackable(problem) => {
                    self.state = self.find_member(member.into_file())?;
                    problem
                }
            };
            return Ok(Some(Err(Damage { offset, problem })));
        }
    }
}

impl<R: Read + Seek> Iterator for WarcReader<R> {
    type Item = Result<RawRecord, Damage>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(damage) = self.pending.take() {
            return Some(Err(damage));
        }
        // A disk that fails ends the archive: there is no next member to go to.
        self.advance().unwrap_or_else(|error| {
            Some(Err(Damage { offset: self.offset, problem: format!("cannot be read: {error}") }))
        })
    }
}

/// Reads the empty lines after a record; false at the end.
fn skip_empty_lines(content: &mut dyn BufRead) -> io::Result<bool> {
    loop {
        match content.fill_buf()? {
            [] => return Ok(false),
            [b'\r' | b'\n', ..] => content.consume(1),
            _ => return Ok(true),
        }
    }
}

/// Reads a record, whose beginning was read already if `is_in_record`.
fn read_record(content: &mut dyn BufRead, is_in_record: bool, most: u64) -> Step {
    let start = &RECORD[1..];
    let mut bytes = if is_in_record { start.to_vec() } else { Vec::new() };
    loop {
        let before = bytes.len();
        match (&mut *content).take((MOST_HEADER - before) as u64).read_until(b'\n', &mut bytes) {
            Err(error) => return Step::Unpackable(unpackable(&error)),
            Ok(_) if !bytes.starts_with(&start[..start.len().min(bytes.len())]) => {
                return Step::Broken("no record begins here".to_owned());
            }
            Ok(0) if bytes.len() >= MOST_HEADER => {
                return Step::Broken(format!("the header of this record is longer than {MOST_HEADER} bytes"));
            }
            Ok(0) => return Step::Broken("the header of this record is cut".to_owned()),
            Ok(_) if bytes[before..].trim_ascii().is_empty() => break,
            Ok(_) => {}
        }
    }
    let Some(block) = content_length(&bytes) else {
        return Step::Broken("the header of this record states no Content-Length".to_owned());
    };
    let is_too_large = block > most;
    let read = match is_too_large {
        true => io::copy(&mut (&mut *content).take(block), &mut io::sink()),
        false => (&mut *content).take(block).read_to_end(&mut bytes).map(|n| n as u64),
    };
    match read {
        Err(error) => Step::Unpackable(unpackable(&error)),
        Ok(read) if read < block => {
            Step::Broken(format!("{read} of the {block} bytes of this record are there"))
        }
        Ok(_) => Step::Record(bytes, is_too_large),
    }
}

fn unpackable(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "the archive ends inside a compressed member".to_owned(),
        _ => format!("cannot be unpacked: {error}"),
    }
}

/// The `Content-Length` of a header.
fn content_length(header: &[u8]) -> Option<u64> {
    let lines = header.split(|&byte| byte == b'\n').skip(1);
    let mut fields = lines.filter_map(|line| {
        let colon = line.iter().position(|&byte| byte == b':')?;
        Some((&line[..colon], line[colon + 1..].trim_ascii()))
    });
    let (_, value) = fields.find(|(name, _)| name.eq_ignore_ascii_case(b"content-length"))?;
    std::str::from_utf8(value).ok()?.parse().ok()
}

fn is_skippable(start: &[u8]) -> bool {
    start.len() >= 4 && start[0] & 0xf0 == 0x50 && start[1..].starts_with(SKIPPABLE)
}

/// The magic number and the size of a skippable frame.
fn frame_head(file: &mut impl Read) -> io::Result<(u8, u32)> {
    let mut head = [0; 8];
    file.read_exact(&mut head)?;
    Ok((head[0], u32::from_le_bytes([head[4], head[5], head[6], head[7]])))
}

fn skip_frame<R: Read + Seek>(file: &mut BufReader<R>) -> io::Result<()> {
    let (_, size) = frame_head(file)?;
    file.seek_relative(size.into())
}

/// The dictionary that an archive begins with, packed by zstd itself or not; empty without one.
fn read_dictionary<R: Read + Seek>(file: &mut BufReader<R>) -> io::Result<Vec<u8>> {
    let start = file.fill_buf()?;
    if !is_skippable(start) || start[0] != DICTIONARY {
        return Ok(Vec::new());
    }
    let unusable = |problem: &str| {
        let at = "the zstd dictionary at the beginning";
        io::Error::other(format!("{at} {problem}; fetch the archive again"))
    };
    let is_cut = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => unusable("is cut"),
        _ => error,
    };
    let (_, size) = frame_head(file).map_err(is_cut)?;
    if size > MOST_DICTIONARY {
        return Err(unusable(&format!("has {size} bytes, more than {MOST_DICTIONARY}")));
    }
    let mut dictionary = Vec::new();
    file.take(size.into()).read_to_end(&mut dictionary)?;
    if dictionary.len() < size as usize {
        return Err(unusable("is cut"));
    }
    if !dictionary.starts_with(ZSTD) {
        return Ok(dictionary);
    }
    let mut unpacked = Vec::new();
    let decoder = Decoder::with_buffer(&*dictionary)?;
    let read = decoder.take(MOST_DICTIONARY.into()).read_to_end(&mut unpacked);
    read.map_err(|error| unusable(&format!("cannot be unpacked ({error})")))?;
    Ok(unpacked)
}

/// Reads up to the end of the next `magic`, of which `seen` bytes were read already; false if the rest does not have it. No
/// beginning of `magic` stands in it twice.
fn skip_past(content: &mut (impl BufRead + ?Sized), magic: &[u8], mut seen: usize) -> io::Result<bool> {
    loop {
        let chunk = content.fill_buf()?;
        if chunk.is_empty() {
            return Ok(false);
        }
        let mut read = 0;
        while read < chunk.len() && seen < magic.len() {
            if seen == 0 {
                match memchr::memchr(magic[0], &chunk[read..]) {
                    Some(at) => read += at,
                    None => read = chunk.len(),
                }
            }
            if let Some(&byte) = chunk.get(read) {
                match byte == magic[seen] {
                    true => (seen, read) = (seen + 1, read + 1),
                    // It may begin here: the byte is looked at again.
                    false if seen > 0 => seen = 0,
                    false => read += 1,
                }
            }
        }
        content.consume(read);
        if seen == magic.len() {
            return Ok(true);
        }
    }
}
