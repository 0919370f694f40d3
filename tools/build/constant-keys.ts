/**
 * The SDKs of AWS declare the shapes of all calls of a service in one file, as data whose keys are constants:
 * `{ [_xN]: … }`. esbuild cannot tell that such a key has no effect, so that it keeps all of EC2's 700 calls for the few
 * that are made. With the keys spelt out, `{ "xmlName": … }`, it leaves out the rest: 1 MB of code, 23 MB of memory.
 */
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

const schemaFiles = /[\\/]@aws-sdk[\\/]client-[^\\/]+[\\/]dist-es[\\/]schemas[\\/][^\\/]+\.js$/;

export const constantKeys: Plugin = {
  name: 'constant-keys',
  setup(build) {
    build.onLoad({ filter: schemaFiles }, async ({ path }) => ({
      contents: withConstantKeys(await readFile(path, 'utf8')),
      loader: 'js',
    }));
  },
};

/** Constants count that are texts and are declared at the beginning of a line, as generated files have them. */
export function withConstantKeys(source: string): string {
  const declarations = source.matchAll(/^const (?<name>\w+) = (?<text>"[^"\\\n]*");$/gm);
  const constants = new Map(
    Array.from(declarations, ({ groups }) => [groups?.['name'] ?? '', groups?.['text'] ?? '']),
  );
  return source.replaceAll(/\[(\w+)\]:/g, (key, name: string) => {
    const text = constants.get(name);
    return text === undefined ? key : `${text}:`;
  });
}
