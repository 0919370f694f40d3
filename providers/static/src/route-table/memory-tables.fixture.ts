/** Files of route tables in memory. A test can delay or fail every call. */
import { dirname } from 'node:path';
import type { TableFiles } from './table-files.ts';

export class MemoryTables implements TableFiles {
  /** The files on disk, by path. */
  readonly texts: Map<string, string>;
  /** The number of calls that changed a file or tried to. */
  writes = 0;
  /** Called before every call. It may delay the call or make it fail. */
  beforeCall: (call: keyof TableFiles, path: string) => void | Promise<void> = () => {};
  readonly #folder: string;

  constructor(folder: string, texts: Map<string, string> = new Map()) {
    this.#folder = folder;
    this.texts = texts;
  }

  async read(path: string, bytesMax: number): Promise<string | undefined> {
    await this.beforeCall('read', path);
    const text = this.texts.get(path);
    if (text === undefined) throw missing(path);
    return text.length > bytesMax ? undefined : text;
  }

  async follow(path: string): Promise<string> {
    await this.beforeCall('follow', path);
    if (!this.texts.has(path)) throw missing(path);
    return path;
  }

  async names(folder: string): Promise<readonly string[]> {
    await this.beforeCall('names', folder);
    if (folder !== this.#folder) throw missing(folder);
    return [...this.texts.keys()].map((path) => path.slice(folder.length + 1));
  }

  async create(path: string, text: string): Promise<void> {
    this.writes++;
    await this.beforeCall('create', path);
    if (dirname(path) !== this.#folder) throw missing(path);
    this.texts.set(path, text);
  }

  async rename(from: string, to: string): Promise<void> {
    this.writes++;
    await this.beforeCall('rename', from);
    const text = this.texts.get(from);
    if (text === undefined) throw missing(from);
    this.texts.delete(from);
    this.texts.set(to, text);
  }

  async remove(path: string): Promise<void> {
    this.writes++;
    await this.beforeCall('remove', path);
    this.texts.delete(path);
  }
}

function missing(path: string): Error {
  return failure('ENOENT', `no such file or directory, open '${path}'`);
}

export function failure(code: string, words: string): Error {
  return Object.assign(new Error(`${code}: ${words}`), { code });
}
