/**
 * The rule `ports` for Node's modules: some are not imported at all, of others some exports are
 * not, and those only in a form in which a reader, and this check, can see what is taken.
 */
import type { ImportedName, ModuleUse } from './imports.ts';
import {
  advice,
  bannedMember,
  bannedModules,
  guardedModules,
  guardedObjects,
  type Port,
} from './ports.ts';
import type { ParsedFile } from './source-file.ts';
import { readSpecifier } from './specifier.ts';
import type { Finding } from './violation.ts';

export function checkPortModules(file: ParsedFile): Finding[] {
  return file.uses.flatMap((use): Finding[] => {
    if (use.specifier === undefined || use.isTypeOnly || use.form === 'resolve') return [];
    const target = readSpecifier(use.specifier, file.path);
    if (target.kind !== 'builtin') return [];
    const port = bannedModules.get(target.name);
    if (port !== undefined) return [finding(use.offset, `"${use.specifier}" is imported`, port)];
    return guardedModules.has(target.name) ? guardedFindings(use, target.name) : [];
  });
}

function guardedFindings(use: ModuleUse, module: string): Finding[] {
  if (use.form !== 'static') {
    return [
      {
        rule: 'ports',
        offset: use.offset,
        found: `"${use.specifier}" is loaded in a way that hides which of its exports are used.`,
        instead: 'Use an import declaration with the names that are needed.',
      },
    ];
  }
  return use.names.flatMap((name) => nameFinding(name, module));
}

function nameFinding({ imported, offset }: ImportedName, module: string): Finding[] {
  const guarded = guardedObjects.get(module);
  // The whole module is followed under its local name, by the rule for globals.
  if (guarded === undefined || imported === '*' || imported === 'default') return [];
  const port = bannedMember(guarded, imported);
  return port === undefined ? [] : [finding(offset, `${module}.${imported} is imported`, port)];
}

function finding(offset: number, what: string, port: Port): Finding {
  const found = `${what}, but only packages/runtime and program entries (main.ts) touch the real one.`;
  return { rule: 'ports', offset, found, instead: advice[port] };
}
