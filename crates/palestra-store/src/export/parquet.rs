//! All candidates of a run by columns, in groups of rows that fit into memory.

use crate::error::Result;
use crate::records::RunId;
use crate::store::Store;
use parquet::basic::{Repetition, Type as Physical};
use parquet::data_type::{DoubleType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};
use std::io::{self, Write};
use std::sync::Arc;

/// How many rows are gathered before they are written.
const GROUP: usize = 65_536;

type Failure = std::result::Result<(), ParquetError>;

/// Rows that are not written yet, by columns.
struct Columns {
    places: [Vec<i32>; 2],
    /// Fitness, then the weights.
    numbers: Vec<Vec<f64>>,
}

impl Store {
    pub(super) fn export_parquet(&self, run: RunId, out: &mut (dyn Write + Send)) -> Result<()> {
        let names = self.weight_names(run)?;
        let failed = |error: ParquetError| self.not_written(io::Error::other(error));
        let properties = WriterProperties::builder().set_created_by("palestra".to_owned()).build();
        let schema = schema(&names).map_err(failed)?;
        let mut writer = SerializedFileWriter::new(out, schema, Arc::new(properties)).map_err(failed)?;
        let mut columns = Columns { places: Default::default(), numbers: vec![Vec::new(); names.len() + 1] };
        self.each_candidate(run, |generation, number, candidate| {
            for (column, place) in columns.places.iter_mut().zip([generation, number]) {
                // Nobody has two thousand million generations, or candidates in one.
                column.push(place as i32);
            }
            let numbers = [candidate.fitness].into_iter().chain(candidate.weights);
            for (column, number) in columns.numbers.iter_mut().zip(numbers) {
                column.push(number);
            }
            match columns.places[0].len() < GROUP {
                true => Ok(()),
                false => columns.write(&mut writer).map_err(failed),
            }
        })?;
        columns.write(&mut writer).and_then(|()| writer.close().map(drop)).map_err(failed)
    }
}

impl Columns {
    /// Writes the rows as one group, and forgets them.
    fn write<W: Write + Send>(&mut self, writer: &mut SerializedFileWriter<W>) -> Failure {
        if self.places[0].is_empty() {
            return Ok(());
        }
        let mut group = writer.next_row_group()?;
        let missing = || ParquetError::General("fewer columns than the schema has".to_owned());
        for places in &mut self.places {
            let mut column = group.next_column()?.ok_or_else(missing)?;
            column.typed::<Int32Type>().write_batch(places, None, None)?;
            column.close()?;
            places.clear();
        }
        for numbers in &mut self.numbers {
            let mut column = group.next_column()?.ok_or_else(missing)?;
            column.typed::<DoubleType>().write_batch(numbers, None, None)?;
            column.close()?;
            numbers.clear();
        }
        group.close().map(drop)
    }
}

fn schema(names: &[String]) -> std::result::Result<TypePtr, ParquetError> {
    let column = |name: &str, physical| {
        let column = Type::primitive_type_builder(name, physical).with_repetition(Repetition::REQUIRED);
        column.build().map(Arc::new)
    };
    let mut columns = vec![column("generation", Physical::INT32)?, column("number", Physical::INT32)?];
    columns.push(column("fitness", Physical::DOUBLE)?);
    for name in names {
        columns.push(column(name, Physical::DOUBLE)?);
    }
    Type::group_type_builder("candidates").with_fields(columns).build().map(Arc::new)
}
