/**
 * For the tests of the rules: checks one made-up file inside a made-up house, and says in short
 * which rules it breaks on which lines.
 */
import { checkStructure } from './check-structure.ts';
import { parseManifest, type Manifests } from './manifest.ts';
import type { Violation } from './violation.ts';

const manifests: Manifests = new Map(
  Object.entries({
    '.': { devDependencies: { 'fast-check': '1', yaml: '1' } },
    'packages/core': { exports: { '.': '', './*': '' }, dependencies: { 'ipaddr.js': '1' } },
    'packages/runtime': { exports: { '.': '' }, dependencies: { pino: '1' } },
    'packages/provider': {
      exports: { '.': '', './exam': '' },
      dependencies: { '@tandem/core': '*', '@tandem/runtime': '*' },
    },
    'packages/kube': { dependencies: { '@tandem/core': '*', '@tandem/runtime': '*' } },
    'packages/controllers': {
      dependencies: {
        '@tandem/core': '*',
        '@tandem/kube': '*',
        '@tandem/provider': '*',
        '@tandem/runtime': '*',
      },
    },
    'packages/manager': {
      dependencies: {
        '@tandem/controllers': '*',
        '@tandem/core': '*',
        '@tandem/provider-aws': '*',
      },
    },
    'packages/devcluster': {
      dependencies: { '@tandem/manager': '*', '@tandem/provider-simulated': '*' },
    },
    'providers/aws': { dependencies: { '@tandem/provider': '*', '@tandem/core': '*' } },
  }).map(([folder, json]) => [folder, parseManifest(JSON.stringify(json))]),
);

export function violationsOf(path: string, text: string): Violation[] {
  return checkStructure({ files: [{ path, text }], manifests });
}

/** `rule:line`, each once, in order. */
export function brokenRules(path: string, text: string): string[] {
  return [...new Set(violationsOf(path, text).map(({ rule, line }) => `${rule}:${line}`))];
}
