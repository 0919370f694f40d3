/**
 * The rule `ports` for the real things of the runtime: `systemClock` and its like are handed out by
 * program entries. A package that took them itself would run in real time under a virtual clock.
 */
import { packageFolderOf } from './house.ts';
import type { ParsedFile } from './source-file.ts';
import { readSpecifier } from './specifier.ts';
import type { Finding } from './violation.ts';

export function checkRealPorts(file: ParsedFile): Finding[] {
  if (packageFolderOf(file.path) === undefined) return [];
  return file.uses.flatMap((use): Finding[] => {
    const target = readSpecifier(use.specifier ?? '', file.path);
    const isRuntime = target.kind === 'house' && target.name === '@tandem/runtime';
    if (!isRuntime || use.isTypeOnly) return [];
    if (use.form !== 'static') return [hidden(use.offset)];
    return use.names.flatMap(({ imported, offset }) => {
      if (imported === '*') return [hidden(offset)];
      return /^system[A-Z]/.test(imported) ? [taken(imported, offset)] : [];
    });
  });
}

function taken(name: string, offset: number): Finding {
  return {
    rule: 'ports',
    offset,
    found: `${name} is imported, but only program entries (main.ts) hand out the real one.`,
    instead: 'Take it as a parameter; tests pass the virtual or seeded one.',
  };
}

function hidden(offset: number): Finding {
  return {
    rule: 'ports',
    offset,
    found: '@tandem/runtime is taken as a whole, which hides which parts are used.',
    instead: 'Use an import declaration with the names that are needed.',
  };
}
