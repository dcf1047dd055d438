//! Confinement of system calls, with seccomp.

use super::MissingProtection;
use super::numbers::{NEW_NAMESPACES, REFUSED, REFUSED_HERE, UNKNOWN, here};
use linux_raw_sys::general::{__NR_clone, __NR_prlimit64, __NR_socket, __NR_utimensat};
use linux_raw_sys::net::{AF_NETLINK, AF_UNIX};
use rustix::io::Errno;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Is, SeccompCondition,
    SeccompFilter, SeccompRule, apply_filter,
};
use std::collections::BTreeMap;

/// Rules by the number of the system call.
type CallRules = BTreeMap<i64, Vec<SeccompRule>>;

/// Socket families within the machine. They are refused with an error instead of a signal, since libraries try them by
/// themselves.
const LOCAL_FAMILIES: [u32; 2] = [AF_UNIX, AF_NETLINK];

/// The protections that this machine lacks.
pub(super) fn missing() -> Vec<MissingProtection> {
    let known = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
    match known && rustix::thread::secure_computing_mode().is_ok() {
        true => Vec::new(),
        false => vec![MissingProtection {
            part: "seccomp, on x86-64 or 64-bit Arm".to_owned(),
            risk: "an engine could open sockets and leave its process group".to_owned(),
        }],
    }
}

/// Applies the filters to this thread, where the machine has seccomp. With `is_soft`, a socket of the network is an
/// error and does not end the program.
pub(super) fn restrict(is_soft: bool) -> Result<(), String> {
    if !missing().is_empty() {
        return Ok(());
    }
    let filters = filters(is_soft).map_err(|error| format!("seccomp: {error}"))?;
    filters.iter().try_for_each(|filter| apply_filter(filter)).map_err(|error| format!("seccomp: {error}"))
}

/// One filter per action; where several match, the kernel takes the strictest action.
fn filters(is_soft: bool) -> Result<Vec<BpfProgram>, seccompiler::BackendError> {
    let refused = |error: Errno| SeccompAction::Errno(error.raw_os_error().unsigned_abs());
    let actions = [
        (
            unconditional(REFUSED).chain(unconditional(REFUSED_HERE)).chain(refused_by_argument()?).collect(),
            refused(Errno::PERM),
        ),
        (unconditional(UNKNOWN).collect(), refused(Errno::NOSYS)),
        (local_sockets()?, refused(Errno::ACCESS)),
        (other_sockets()?, if is_soft { refused(Errno::AFNOSUPPORT) } else { SeccompAction::KillProcess }),
    ];
    let arch = std::env::consts::ARCH.try_into()?;
    let compiled = actions.into_iter().map(|(rules, action)| {
        let rules: CallRules = rules;
        SeccompFilter::new(rules, SeccompAction::Allow, action, arch)?.try_into()
    });
    compiled.collect()
}

/// Rules for calls that match with any arguments.
fn unconditional(calls: &[u32]) -> impl Iterator<Item = (i64, Vec<SeccompRule>)> {
    calls.iter().flat_map(|call| here(*call)).map(|number| (number, Vec::new()))
}

/// Rules for calls that are refused with some arguments: limits of other processes, times of files by name, new
/// namespaces.
fn refused_by_argument() -> Result<CallRules, seccompiler::BackendError> {
    let mut rules = CallRules::new();
    let others = SeccompRule::new(vec![SeccompCondition::new(0, Length::Dword, Is::Ne, 0)?])?;
    let by_name = SeccompRule::new(vec![SeccompCondition::new(1, Length::Qword, Is::Ne, 0)?])?;
    let namespaces = NEW_NAMESPACES.iter().map(|&flag| {
        let flag = u64::from(flag);
        SeccompRule::new(vec![SeccompCondition::new(0, Length::Qword, Is::MaskedEq(flag), flag)?])
    });
    let namespaces = namespaces.collect::<Result<Vec<_>, _>>()?;
    for (call, rule) in
        [(__NR_prlimit64, vec![others]), (__NR_utimensat, vec![by_name]), (__NR_clone, namespaces)]
    {
        rules.extend(here(call).into_iter().map(|number| (number, rule.clone())));
    }
    Ok(rules)
}

fn local_sockets() -> Result<CallRules, seccompiler::BackendError> {
    let rules = LOCAL_FAMILIES.map(|family| {
        SeccompRule::new(vec![SeccompCondition::new(0, Length::Dword, Is::Eq, family.into())?])
    });
    let rules = rules.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(here(__NR_socket).into_iter().map(|number| (number, rules.clone())).collect())
}

fn other_sockets() -> Result<CallRules, seccompiler::BackendError> {
    let conditions =
        LOCAL_FAMILIES.map(|family| SeccompCondition::new(0, Length::Dword, Is::Ne, family.into()));
    let rule = SeccompRule::new(conditions.into_iter().collect::<Result<Vec<_>, _>>()?)?;
    Ok(here(__NR_socket).into_iter().map(|number| (number, vec![rule.clone()])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_compile() {
        let sizes: Vec<usize> = filters(false).unwrap().iter().map(Vec::len).collect();
        assert!(sizes.iter().all(|size| (5..4096).contains(size)), "{sizes:?}");
    }

    #[test]
    fn no_call_is_listed_twice() {
        let by_argument = &[__NR_socket, __NR_clone, __NR_prlimit64, __NR_utimensat];
        let lists = [REFUSED, REFUSED_HERE, UNKNOWN, by_argument];
        let numbers: Vec<i64> = lists.into_iter().flatten().flat_map(|call| here(*call)).collect();
        let different: std::collections::BTreeSet<i64> = numbers.iter().copied().collect();
        assert_eq!(numbers.len(), different.len());
    }
}
