/**
 * The ports, as data: which globals, members and modules bring in time, chance, identity,
 * environment, traffic or output, and what takes their place. Only `packages/runtime/src` and
 * program entries touch the real ones; there is no escape hatch.
 */
export type Port = 'Clock' | 'Random' | 'Ids' | 'Environment' | 'Logger' | 'transport';

/** Whether a file may use the real thing: the runtime, programs, which wire everything, and the tripwire. */
export function isBehindPorts(path: string): boolean {
  const isTripwire = path === 'test/run/tripwire.ts';
  return path.startsWith('packages/runtime/src/') || isProgramEntry(path) || isTripwire;
}

/** `main.ts` at the top of a package, or anywhere below `test/` and `tools/`. Core has no program. */
function isProgramEntry(path: string): boolean {
  const isOfPackage = /^(?:packages|providers)\/[^/]+\/src\/main\.ts$/.test(path);
  return isOfPackage
    ? !path.startsWith('packages/core/')
    : /^(?:test|tools)\/(?:.*\/)?main\.ts$/.test(path);
}

/** What to do instead, for each port. */
export const advice: Readonly<Record<Port, string>> = {
  Clock:
    'Take a Clock from @tandem/runtime as a parameter; tests pass the virtual clock and advance it.',
  Random: 'Take a Random from @tandem/runtime as a parameter; tests pass a seeded one.',
  Ids: 'Take Ids from @tandem/runtime as a parameter; tests pass predictable ones.',
  Environment:
    'Take an Environment from @tandem/runtime, or better the one value, as a parameter; ' +
    'the program entry (main.ts) reads it.',
  Logger: 'Take a Logger from @tandem/runtime as a parameter, or return what is to be printed.',
  transport: 'Take a transport as a parameter; the program entry (main.ts) passes the real one.',
};

/** Globals that are never used by name. */
export const bannedGlobals: ReadonlyMap<string, Port> = new Map<string, Port>([
  ['performance', 'Clock'],
  ['setTimeout', 'Clock'],
  ['setInterval', 'Clock'],
  ['setImmediate', 'Clock'],
  ['clearTimeout', 'Clock'],
  ['clearInterval', 'Clock'],
  ['clearImmediate', 'Clock'],
  ['fetch', 'transport'],
  ['WebSocket', 'transport'],
  ['EventSource', 'transport'],
  ['XMLHttpRequest', 'transport'],
  ['console', 'Logger'],
]);

/** Globals of which only some members are harmless or harmful. */
export interface GuardedObject {
  /** The port that a use of the object as a whole would get around. */
  readonly port: Port;
  /** Members that are banned. Where an object is all about a port, the allowed ones are named. */
  readonly members: { readonly banned: ReadonlyMap<string, Port> } | { readonly allowed: string[] };
}

export const guardedObjects: ReadonlyMap<string, GuardedObject> = new Map<string, GuardedObject>([
  // These two compute from their arguments.
  ['Date', { port: 'Clock', members: { allowed: ['UTC', 'parse'] } }],
  ['Temporal', { port: 'Clock', members: { banned: new Map([['Now', 'Clock']]) } }],
  ['AbortSignal', { port: 'Clock', members: { banned: new Map([['timeout', 'Clock']]) } }],
  ['Math', { port: 'Random', members: { banned: new Map([['random', 'Random']]) } }],
  [
    'process',
    {
      port: 'Environment',
      members: {
        banned: new Map<string, Port>([
          ['env', 'Environment'],
          ['hrtime', 'Clock'],
          ['uptime', 'Clock'],
        ]),
      },
    },
  ],
  [
    'crypto',
    {
      port: 'Random',
      members: {
        banned: new Map<string, Port>([
          ['randomUUID', 'Ids'],
          ['randomUUIDv7', 'Ids'],
          ['getRandomValues', 'Random'],
          ['randomBytes', 'Random'],
          ['pseudoRandomBytes', 'Random'],
          ['randomInt', 'Random'],
          ['randomFill', 'Random'],
          ['randomFillSync', 'Random'],
          // The same object once more, under another name.
          ['webcrypto', 'Random'],
        ]),
      },
    },
  ],
]);

/** The port that this member is behind, if it is. */
export function bannedMember({ port, members }: GuardedObject, name: string): Port | undefined {
  if ('banned' in members) return members.banned.get(name);
  return members.allowed.includes(name) ? undefined : port;
}

/** `globalThis.Date` is `Date`, so these are looked through. */
export const globalObjects: ReadonlySet<string> = new Set(['globalThis', 'global']);

/** Node modules that are not imported at all. */
export const bannedModules: ReadonlyMap<string, Port> = new Map<string, Port>([
  ['timers', 'Clock'],
  ['timers/promises', 'Clock'],
  ['perf_hooks', 'Clock'],
  ['console', 'Logger'],
]);

/** Node modules that are the guarded object of the same name, whole or by their exports. */
export const guardedModules: ReadonlySet<string> = new Set(['process', 'crypto']);
