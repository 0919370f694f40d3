/**
 * The rule `pure-core`: `packages/core` is synchronous and free of I/O, so outside of its tests it
 * has no Node module, no third-party package but the listed ones, and nothing asynchronous.
 * Generators are fine.
 */
import { roleOf } from './names.ts';
import { allPositions, type Position } from './positions.ts';
import { isTestFile, type ParsedFile } from './source-file.ts';
import { readSpecifier } from './specifier.ts';
import type { Finding } from './violation.ts';

/** Packages that compute and do nothing else. A new one is a decision record. */
export const packagesOfCore: ReadonlySet<string> = new Set(['ipaddr.js']);

export function checkPureCore(file: ParsedFile): Finding[] {
  if (!file.path.startsWith('packages/core/') || isTestFile(file.path)) return [];
  return [...impureImports(file), ...asynchronousCode(file)];
}

function impureImports(file: ParsedFile): Finding[] {
  return file.uses.flatMap((use): Finding[] => {
    if (use.specifier === undefined) return [];
    const target = readSpecifier(use.specifier, file.path);
    const isImpure =
      target.kind === 'builtin' ||
      (target.kind === 'third-party' && !packagesOfCore.has(target.name));
    if (!isImpure) return [];
    return [
      {
        rule: 'pure-core',
        offset: use.offset,
        found: `core imports "${use.specifier}", but core is pure.`,
        instead:
          `It may import ${[...packagesOfCore].join(', ')}. Do the work in the package that ` +
          'calls core, and pass core the data.',
      },
    ];
  });
}

function asynchronousCode(file: ParsedFile): Finding[] {
  return [...allPositions(file.program)].flatMap((position): Finding[] => {
    const what = asynchronousPart(position);
    if (what === undefined) return [];
    return [
      {
        rule: 'pure-core',
        offset: position.node.start,
        found: `${what} in core, but core is synchronous.`,
        instead: 'Let the caller wait, and pass core the data that it decides on.',
      },
    ];
  });
}

function asynchronousPart(position: Position): string | undefined {
  const { node } = position;
  if ('async' in node && node.async) return 'An async function';
  if (node.type === 'AwaitExpression') return 'await';
  if (node.type === 'ForOfStatement' && node.await) return 'for await';
  if (node.type === 'VariableDeclaration' && node.kind === 'await using') return 'await using';
  if (node.type !== 'Identifier' || !asynchronousNames.has(node.name)) return undefined;
  return roleOf(position) === 'label' ? undefined : node.name;
}

/** As values and as types: a core that only passes promises on is no longer synchronous either. */
const asynchronousNames: ReadonlySet<string> = new Set([
  'Promise',
  'PromiseLike',
  'AsyncIterable',
  'AsyncIterator',
  'AsyncGenerator',
  'queueMicrotask',
]);
