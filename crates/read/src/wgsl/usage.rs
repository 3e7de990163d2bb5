//! What functions do with variables: which are indexed by what is not constant, which are written, which a function reaches.

use naga::{Arena, Expression, Function, GlobalVariable, Handle, LocalVariable, Module, Statement};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The variable at the root of a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Base {
    Local(Handle<LocalVariable>),
    Global(Handle<GlobalVariable>),
    Argument(u32),
}

/// What one function does, with what it calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Usage {
    /// Indexed by what is not constant.
    pub(super) dynamic: HashSet<Base>,
    /// Stored to.
    pub(super) written: HashSet<Base>,
    /// Variables of the module that it or its callees name, in order.
    pub(super) named: BTreeSet<Handle<GlobalVariable>>,
}

/// The variable that a pointer expression starts from.
pub(super) fn base(expressions: &Arena<Expression>, mut expr: Handle<Expression>) -> Option<Base> {
    loop {
        match expressions[expr] {
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => expr = base,
            Expression::LocalVariable(handle) => return Some(Base::Local(handle)),
            Expression::GlobalVariable(handle) => return Some(Base::Global(handle)),
            Expression::FunctionArgument(index) => return Some(Base::Argument(index)),
            _ => return None,
        }
    }
}

/// What every function of a module does. A module's functions stand after what they call.
pub(super) fn of_functions(module: &Module) -> HashMap<Handle<Function>, Usage> {
    let mut all = HashMap::new();
    for (handle, function) in module.functions.iter() {
        let usage = of_function(function, &all);
        all.insert(handle, usage);
    }
    all
}

/// What a function does, when what it calls is known.
pub(super) fn of_function(function: &Function, known: &HashMap<Handle<Function>, Usage>) -> Usage {
    let mut usage = Usage::default();
    for (_, expression) in function.expressions.iter() {
        match *expression {
            Expression::Access { base: whole, .. } => usage.dynamic.extend(base(&function.expressions, whole)),
            Expression::GlobalVariable(handle) => _ = usage.named.insert(handle),
            _ => {}
        }
    }
    each_statement(&function.body, &mut |statement| match statement {
        Statement::Store { pointer, .. } | Statement::Atomic { pointer, .. } => {
            usage.written.extend(base(&function.expressions, *pointer));
        }
        Statement::Call { function: callee, arguments, .. } => {
            let Some(of_callee) = known.get(callee) else { return };
            usage.named.extend(&of_callee.named);
            let globals =
                |set: &HashSet<Base>| set.iter().copied().filter(|base| matches!(base, Base::Global(_))).collect::<Vec<_>>();
            usage.dynamic.extend(globals(&of_callee.dynamic));
            usage.written.extend(globals(&of_callee.written));
            for (i, argument) in arguments.iter().enumerate() {
                let Some(root) = base(&function.expressions, *argument) else { continue };
                let parameter = Base::Argument(i as u32);
                if of_callee.dynamic.contains(&parameter) {
                    usage.dynamic.insert(root);
                }
                if of_callee.written.contains(&parameter) {
                    usage.written.insert(root);
                }
            }
        }
        _ => {}
    });
    usage
}

/// Calls `visit` on every statement, outer before inner.
pub(super) fn each_statement(block: &naga::Block, visit: &mut dyn FnMut(&Statement)) {
    for statement in block.iter() {
        visit(statement);
        match statement {
            Statement::Block(inner) => each_statement(inner, visit),
            Statement::If { accept, reject, .. } => {
                each_statement(accept, visit);
                each_statement(reject, visit);
            }
            Statement::Switch { cases, .. } => cases.iter().for_each(|case| each_statement(&case.body, visit)),
            Statement::Loop { body, continuing, .. } => {
                each_statement(body, visit);
                each_statement(continuing, visit);
            }
            _ => {}
        }
    }
}
