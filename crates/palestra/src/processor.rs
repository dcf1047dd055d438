//! Checks whether this processor can run this build, and switches to a build for newer processors where there is one.
//!
//! Code up to [`check_support`] also runs on processors without the instructions that the rest of the program is
//! compiled for. It is limited to `cpuid`, comparisons of integers with constants and writing fixed text, for which
//! the compiler does not use the newer instructions. `cargo xtask dist` tests that under an emulator.
#![allow(clippy::disallowed_methods, reason = "the binary reads its arguments and becomes another program")]

use std::arch::x86_64::{__cpuid, __cpuid_count};
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// Size in bytes of the XSAVE area where the system saves AVX registers: 512 of legacy state, 64 of header, 256 of
/// upper halves. It is smaller where the system does not save them.
const AREA_WITH_AVX: u32 = 512 + 64 + 256;

/// Bit of leaf 1, ECX: the system saves registers with XSAVE.
const OSXSAVE: u32 = 1 << 27;

/// Registers of `cpuid`.
#[derive(Clone, Copy)]
struct Registers {
    one_ecx: u32,
    seven_ebx: u32,
    extended_ecx: u32,
    /// Size in bytes of the XSAVE area, with the features that the system has enabled.
    save_area: u32,
}

/// The `cpuid` leaf with the bit of a feature.
#[derive(Clone, Copy)]
enum CpuidLeaf {
    One,
    Seven,
    Extended,
}

/// An instruction set extension of x86-64-v2 or x86-64-v3.
struct CpuFeature {
    name: &'static [u8],
    leaf: CpuidLeaf,
    mask: u32,
    /// Whether this build is compiled for it.
    is_used: bool,
}

macro_rules! feature {
    ($name:literal, $target_feature:literal, $leaf:ident, $bit:literal) => {
        CpuFeature {
            name: $name,
            leaf: CpuidLeaf::$leaf,
            mask: 1 << $bit,
            is_used: cfg!(target_feature = $target_feature),
        }
    };
}

/// All features of x86-64-v3 beyond x86-64, in the order of the levels.
static FEATURES: [CpuFeature; 14] = [
    feature!(b"SSE3", "sse3", One, 0),
    feature!(b"SSSE3", "ssse3", One, 9),
    feature!(b"SSE4.1", "sse4.1", One, 19),
    feature!(b"SSE4.2", "sse4.2", One, 20),
    feature!(b"POPCNT", "popcnt", One, 23),
    feature!(b"CMPXCHG16B", "cmpxchg16b", One, 13),
    feature!(b"FMA", "fma", One, 12),
    feature!(b"MOVBE", "movbe", One, 22),
    feature!(b"F16C", "f16c", One, 29),
    feature!(b"BMI1", "bmi1", Seven, 3),
    feature!(b"BMI2", "bmi2", Seven, 8),
    feature!(b"LZCNT", "lzcnt", Extended, 5),
    feature!(b"AVX", "avx", One, 28),
    feature!(b"AVX2", "avx2", Seven, 5),
];

impl Registers {
    #[inline(never)]
    fn read() -> Registers {
        let highest = __cpuid(0).eax;
        let highest_extended = __cpuid(0x8000_0000).eax;
        let one_ecx = __cpuid(1).ecx;
        let seven_ebx = if highest >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
        let extended_ecx = if highest_extended > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
        let save_area = if highest >= 13 { __cpuid_count(13, 0).ebx } else { 0 };
        Registers { one_ecx, seven_ebx, extended_ecx, save_area }
    }

    #[inline(never)]
    fn lacks(&self, feature: &CpuFeature) -> bool {
        let register = match feature.leaf {
            CpuidLeaf::One => self.one_ecx,
            CpuidLeaf::Seven => self.seven_ebx,
            CpuidLeaf::Extended => self.extended_ecx,
        };
        register & feature.mask == 0
    }

    /// Whether the system saves the AVX registers of every thread.
    fn system_saves_avx(&self) -> bool {
        self.one_ecx & OSXSAVE != 0 && self.save_area >= AREA_WITH_AVX
    }

    /// Whether the processor and the system support x86-64-v3.
    fn is_v3(&self) -> bool {
        FEATURES.iter().all(|feature| !self.lacks(feature)) && self.system_saves_avx()
    }
}

/// Prints an error and returns an exit code if the processor lacks a feature that this build uses. Must run before any
/// other code.
#[inline(never)]
pub(crate) fn check_support() -> Option<ExitCode> {
    let registers = Registers::read();
    let mut n_missing = 0;
    for feature in &FEATURES {
        if feature.is_used && registers.lacks(feature) {
            print_missing(feature.name, n_missing);
            n_missing += 1;
        }
    }
    if n_missing == 0 && cfg!(target_feature = "avx") && !registers.system_saves_avx() {
        print_missing(b"a system that saves AVX registers", n_missing);
        n_missing += 1;
    }
    if n_missing == 0 {
        return None;
    }
    print(b"; build from source with RUSTFLAGS=\"-C target-cpu=native\" cargo build --release\n");
    Some(ExitCode::FAILURE)
}

fn print_missing(name: &[u8], n_before: u32) {
    print(if n_before == 0 { b"error: this processor is too old for this build: it lacks " } else { b", " });
    print(name);
}

/// Writes to standard error; an error is ignored.
#[inline(never)]
fn print(text: &[u8]) {
    let _ = std::io::stderr().write_all(text);
}

/// Replaces this process with the build for newer processors, if this is the build for older ones, both come from one
/// archive, and the processor supports it. Returns otherwise.
pub(crate) fn exec_newer_build() {
    let can_be_newer = cfg!(dist) && !cfg!(target_feature = "avx2");
    if !can_be_newer || !Registers::read().is_v3() {
        return;
    }
    if std::env::var_os("PALESTRA_CPU").is_some_and(|level| level == "v2") {
        return;
    }
    let Some(newer) = newer_build() else { return };
    let mut args = std::env::args_os();
    let mut command = Command::new(newer);
    if let Some(name) = args.next() {
        command.arg0(name);
    }
    // `exec` returns only if the file could not be started; this build then runs the command.
    let _ = command.args(args).exec();
}

/// Path of the build for newer processors in the same installation.
fn newer_build() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?.canonicalize().ok()?;
    let path = own.parent()?.parent()?.join("libexec/palestra/palestra-x86-64-v3");
    path.is_file().then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Registers of a Haswell processor under Linux.
    const HASWELL: Registers =
        Registers { one_ecx: 0x7ffa_fbff, seven_ebx: 0x27ab, extended_ecx: 0x21, save_area: AREA_WITH_AVX };

    /// Registers of a Core 2 of 2006.
    const CORE_2: Registers =
        Registers { one_ecx: 0x0000_e3bd, seven_ebx: 0, extended_ecx: 0x01, save_area: 0 };

    fn missing(registers: Registers) -> Vec<&'static str> {
        let missing = FEATURES.iter().filter(|feature| registers.lacks(feature));
        missing.map(|feature| std::str::from_utf8(feature.name).unwrap()).collect()
    }

    #[test]
    fn levels_are_distinguished() {
        assert!(missing(HASWELL).is_empty() && HASWELL.is_v3());
        let old = missing(CORE_2);
        assert_eq!(old[..3], ["SSE4.1", "SSE4.2", "POPCNT"]);
        assert!(old.contains(&"AVX2") && !CORE_2.is_v3());
        let no_lzcnt = Registers { extended_ecx: 1, ..HASWELL };
        assert_eq!(missing(no_lzcnt), ["LZCNT"]);
        assert!(!no_lzcnt.is_v3());
    }

    /// A processor with AVX under a system that does not save its registers.
    #[test]
    fn the_system_is_checked() {
        assert!(!Registers { one_ecx: HASWELL.one_ecx & !OSXSAVE, ..HASWELL }.is_v3());
        assert!(!Registers { save_area: 512 + 64, ..HASWELL }.is_v3());
    }

    /// The standard library has its own detection.
    #[test]
    fn the_standard_library_agrees() {
        let registers = Registers::read();
        let [.., lzcnt, _, avx2] = &FEATURES;
        assert_eq!(!registers.lacks(avx2) && registers.system_saves_avx(), is_x86_feature_detected!("avx2"));
        assert_eq!(!registers.lacks(lzcnt), is_x86_feature_detected!("lzcnt"));
        assert!(check_support().is_none(), "the tests run, so the processor is supported");
    }
}
