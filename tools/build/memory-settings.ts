/** The memory settings that programs ship with, and the start line of a built program that applies them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

const file = join(import.meta.dirname, '../../packages/manager/memory.env');

/** `MALLOC_ARENA_MAX` and `NODE_OPTIONS`. */
export function memorySettings(): Readonly<Record<string, string>> {
  const settings = parseEnv(readFileSync(file, 'utf8'));
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value ?? '']));
}

/** For `env -S`. The caller's own `NODE_OPTIONS` come last, so that they override ours. */
export function startLine(): string {
  const words = Object.entries(memorySettings()).map(([name, value]) =>
    name === 'NODE_OPTIONS' ? `"${name}=${value} \${${name}}"` : `${name}=${value}`,
  );
  return `#!/usr/bin/env -S ${words.join(' ')} node`;
}
