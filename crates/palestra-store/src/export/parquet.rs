//! All candidates of a run as Parquet, in row groups that fit into memory.

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

/// Number of rows of a row group.
const GROUP: usize = 65_536;

type Failure = std::result::Result<(), ParquetError>;

/// Rows that are not written yet, in columns.
struct Columns {
    /// Generation and number.
    numbers: [Vec<i32>; 2],
    /// Fitness, then the weights.
    values: Vec<Vec<f64>>,
}

impl Store {
    pub(super) fn export_parquet(&self, run: RunId, out: &mut (dyn Write + Send)) -> Result<()> {
        let names = self.weight_names(run)?;
        let failed = |error: ParquetError| self.not_written(io::Error::other(error));
        let properties = WriterProperties::builder().set_created_by("palestra".to_owned()).build();
        let schema = schema(&names).map_err(failed)?;
        let mut writer = SerializedFileWriter::new(out, schema, Arc::new(properties)).map_err(failed)?;
        let mut columns = Columns { numbers: Default::default(), values: vec![Vec::new(); names.len() + 1] };
        self.each_candidate(run, |generation, number, candidate| {
            for (column, number) in columns.numbers.iter_mut().zip([generation, number]) {
                // The cast is safe: no run has 2^31 generations, and no generation 2^31 candidates.
                column.push(number as i32);
            }
            let values = [candidate.fitness].into_iter().chain(candidate.weights);
            for (column, value) in columns.values.iter_mut().zip(values) {
                column.push(value);
            }
            match columns.numbers[0].len() < GROUP {
                true => Ok(()),
                false => columns.write(&mut writer).map_err(failed),
            }
        })?;
        columns.write(&mut writer).and_then(|()| writer.close().map(drop)).map_err(failed)
    }
}

impl Columns {
    /// Writes the rows as one row group and clears them.
    fn write<W: Write + Send>(&mut self, writer: &mut SerializedFileWriter<W>) -> Failure {
        if self.numbers[0].is_empty() {
            return Ok(());
        }
        let mut group = writer.next_row_group()?;
        let missing = || ParquetError::General("fewer columns than the schema has".to_owned());
        for numbers in &mut self.numbers {
            let mut column = group.next_column()?.ok_or_else(missing)?;
            column.typed::<Int32Type>().write_batch(numbers, None, None)?;
            column.close()?;
            numbers.clear();
        }
        for values in &mut self.values {
            let mut column = group.next_column()?.ok_or_else(missing)?;
            column.typed::<DoubleType>().write_batch(values, None, None)?;
            column.close()?;
            values.clear();
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
