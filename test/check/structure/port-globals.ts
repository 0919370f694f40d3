/**
 * The rule `ports` for globals: time, chance, identity, environment, traffic and output are not
 * reached by name outside the runtime and program entries.
 */
import { globalUses, type Action, type GlobalUse } from './global-uses.ts';
import {
  advice,
  bannedGlobals,
  bannedMember,
  globalObjects,
  guardedModules,
  guardedObjects,
  type GuardedObject,
} from './ports.ts';
import type { ParsedFile } from './source-file.ts';
import { readSpecifier } from './specifier.ts';
import type { Finding } from './violation.ts';

export function checkPortGlobals(file: ParsedFile): Finding[] {
  const aliases = aliasesIn(file);
  const uses = globalUses(file, aliases);
  const isShadow = ({ name, action }: GlobalUse): boolean =>
    action.kind === 'shadow' && !aliases.has(name);
  const shadowed = new Set(uses.filter(isShadow).map(({ name }) => name));
  return uses
    .filter((use) => (use.action.kind === 'shadow' ? isShadow(use) : !shadowed.has(use.name)))
    .flatMap((use): Finding[] => {
      const problem = problemOf(use);
      return problem === undefined ? [] : [{ ...problem, rule: 'ports', offset: use.offset }];
    });
}

/** `import * as c from 'node:crypto'` makes `c` another name for `crypto`. */
function aliasesIn(file: ParsedFile): Map<string, string> {
  const aliases = new Map<string, string>();
  for (const use of file.uses) {
    const target = readSpecifier(use.specifier ?? '', file.path);
    if (target.kind !== 'builtin' || !guardedModules.has(target.name)) continue;
    for (const { imported, local } of use.names) {
      const isWhole = imported === '*' || imported === 'default';
      if (isWhole && local !== undefined) aliases.set(local, target.name);
    }
  }
  return aliases;
}

type Problem = Pick<Finding, 'found' | 'instead'>;

function problemOf({ name, action }: GlobalUse): Problem | undefined {
  const port = bannedGlobals.get(name);
  const guarded = guardedObjects.get(name);
  if (port === undefined && guarded === undefined && !globalObjects.has(name)) return undefined;
  if (action.kind === 'shadow') return shadowProblem(name);
  if (port !== undefined) return banned(`${name} is used`, advice[port]);
  return guarded === undefined
    ? globalObjectProblem(name, action)
    : guardedProblem(name, guarded, action);
}

function shadowProblem(name: string): Problem {
  return {
    found: `A local variable is called ${name}, like the global that is behind a port.`,
    instead: 'Choose another name, so that a reader need not find out which one is meant.',
  };
}

function guardedProblem(name: string, guarded: GuardedObject, action: Action): Problem | undefined {
  switch (action.kind) {
    case 'member':
      return memberProblem(name, guarded, action.member);
    case 'destructure':
      return action.members
        .map((member) => memberProblem(name, guarded, member))
        .find((problem) => problem !== undefined);
    case 'construct':
      // A date that is made of something tells no time; the other objects are not constructed.
      if (action.hasArgument) return undefined;
      return banned(`new ${name}() is used`, advice[guarded.port]);
    case 'test':
      return undefined;
    case 'value':
      return banned(
        `${name} is used as a whole, so nobody can tell which part of it`,
        `Name the member that is needed. If that is behind a port: ${advice[guarded.port]}`,
      );
    case 'shadow':
      return shadowProblem(name);
    default:
      return action satisfies never;
  }
}

function memberProblem(
  name: string,
  guarded: GuardedObject,
  member: string | undefined,
): Problem | undefined {
  if (member === undefined) {
    return banned(`a computed member of ${name} is used`, 'Write the name of the member.');
  }
  const port = bannedMember(guarded, member);
  return port === undefined ? undefined : banned(`${name}.${member} is used`, advice[port]);
}

/** What `globalThis.X` is judged as `X`; here only what would hide the name is. */
function globalObjectProblem(name: string, action: Action): Problem | undefined {
  const isOpen =
    (action.kind === 'member' && action.member !== undefined) ||
    (action.kind === 'destructure' && action.members.every(isHarmlessGlobal));
  if (isOpen) return undefined;
  return banned(`${name} is used in a way that hides which global`, `Write ${name}.NAME.`);
}

function isHarmlessGlobal(name: string | undefined): boolean {
  if (name === undefined || globalObjects.has(name)) return false;
  return !bannedGlobals.has(name) && !guardedObjects.has(name);
}

function banned(what: string, instead: string): Problem {
  const found = `${what}, but only packages/runtime and program entries (main.ts) touch the real one.`;
  return { found, instead };
}
