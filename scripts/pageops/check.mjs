// What the in-page script and the packages that call it tell each other. The type checker says that what the script makes has the types of Go, but it lets
// pass what is more than those types have. This says that the script tells no field, of answers of ops and facts of failures, which Go does not know.
//
//   node scripts/pageops/check.mjs <folder of the package typescript>

import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ts = createRequire(import.meta.url)(path.resolve(process.argv[2]));
const config = ts.getParsedCommandLineOfConfigFile(
  path.join(root, 'jsconfig.json'),
  {},
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (d) => {
      throw new Error(d.messageText);
    },
  },
);
const program = ts.createProgram(config.fileNames, config.options);
const checker = program.getTypeChecker();
const shared = program.getSourceFile(path.join(root, 'engine/inpage/js/ops.d.ts'));

/** Fields of answers that the script takes out before they leave, or that each op may have. */
const OWN = new Set(['error', 'again', 'final', 'frame', 'rest', 'lasts', 'selected']);

/** Ops that tell tests more than the program asks for. */
const FOR_TESTS = new Set(['depict', 'dragBegun', 'dropAccepted', 'dropPlace', 'environment', 'info', 'watchGesture']);

const faults = [];

/** The members of a type of ops.d.ts, by name. */
function membersOf(interfaceName) {
  const members = new Map();
  for (const node of shared.statements) {
    if (!ts.isInterfaceDeclaration(node) || node.name.text !== interfaceName) continue;
    for (const member of node.members) members.set(member.name.text, checker.getTypeAtLocation(member));
  }
  return members;
}

/** The types that a value may have once it is there. */
function parts(type) {
  if (type.isUnion()) return type.types.flatMap(parts);
  const awaited = type.symbol?.name === 'Promise' ? checker.getTypeArguments(type) : null;
  return awaited ? awaited.flatMap(parts) : [type];
}

const isObject = (type) => (type.flags & ts.TypeFlags.Object) !== 0 || type.isIntersection();
const isList = (type) => checker.isArrayType(type) || checker.isTupleType(type);

/** What is declared of a value: the objects among the types that it may have, and their fields. */
function declaredFields(type) {
  const fields = new Map();
  for (const part of parts(type)) {
    if (isList(part) || !isObject(part)) continue;
    if (checker.getIndexInfosOfType(part).length > 0) return null; // any name will do
    for (const property of part.getProperties()) fields.set(property.name, checker.getTypeOfSymbol(property));
  }
  return fields;
}

/** Compares what the script makes with what is declared. */
function compare(made, declared, where, tells) {
  for (const part of parts(made)) {
    if (isList(part)) {
      const list = parts(declared).find(isList);
      if (list) compare(checker.getTypeArguments(part)[0], checker.getTypeArguments(list)[0], where + '[]', tells);
      continue;
    }
    if (!isObject(part) || part.symbol?.name === 'Object') continue;
    const fields = declaredFields(declared);
    if (fields === null || fields.size === 0) continue;
    const isFailure = part.getProperty('error') && !(checker.getTypeOfSymbol(part.getProperty('error')).flags & ts.TypeFlags.Undefined);
    if (isFailure && !fields.has('error')) continue;
    for (const property of part.getProperties()) {
      const type = checker.getTypeOfSymbol(property);
      if (type.flags & ts.TypeFlags.Undefined) continue;
      if (!fields.has(property.name)) {
        if (!tells && !OWN.has(property.name)) faults.push(`${where}: the script says ${property.name}, which no type of Go has`);
        continue;
      }
      compare(type, fields.get(property.name), `${where}.${property.name}`, tells);
    }
  }
}

/** What a function gives back, by its own code: the expressions that it returns. */
function returned(fn) {
  return checker.getReturnTypeOfSignature(checker.getSignatureFromDeclaration(fn));
}

const ops = membersOf('Ops');
const facts = membersOf('FactsByCode');

function visit(node) {
  if (
    ts.isBinaryExpression(node) &&
    ts.isPropertyAccessExpression(node.left) &&
    node.left.expression.getText() === 'ops' &&
    ops.has(node.left.name.text)
  ) {
    const name = node.left.name.text;
    const fn = node.right;
    const declared = ops.get(name).getCallSignatures()[0].getReturnType();
    if (ts.isArrowFunction(fn) || ts.isFunctionExpression(fn)) compare(returned(fn), declared, `op ${name}`, FOR_TESTS.has(name));
  }
  if (
    ts.isCallExpression(node) &&
    ['fail', 'failFinal', 'nextFrame'].includes(node.expression.getText()) &&
    ts.isStringLiteral(node.arguments[0])
  ) {
    const code = node.arguments[0].text;
    const [, argument] = node.arguments;
    if (argument && facts.has(code)) {
      const made = ts.isArrowFunction(argument) ? returned(argument) : checker.getTypeAtLocation(argument);
      compare(made, facts.get(code), `facts of ${code}`, false);
    }
  }
  ts.forEachChild(node, visit);
}
for (const file of program.getSourceFiles()) if (file.fileName.includes('/engine/inpage/js/') && !file.isDeclarationFile) visit(file);

for (const fault of [...new Set(faults)].sort()) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);
