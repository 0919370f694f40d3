/**
 * Stores the route table on disk. A write replaces the whole file by renaming a draft whose bytes are on disk, so
 * readers never see half a table, and a kill leaves the old table or the new one (P7). A file that cannot be parsed
 * stays unchanged (P3).
 *
 * Every writer first removes all other drafts, for two reasons: drafts of killed writers would pile up, and a former
 * leader that was paused before its rename must not overwrite its successor's table. Without its draft, its rename
 * fails.
 */
import { basename, dirname, join } from 'node:path';
import { printable } from '@tandem/core/node-address';
import type { RouteApplyOptions } from '@tandem/provider/plug';
import type { Ids } from '@tandem/runtime';
import { StaticRouteError } from './failure.ts';
import { isMissing, type TableFiles } from './table-files.ts';
import { formatTable, parseTable, type Table, tableBytesMax, TableProblem } from './table-text.ts';

export class TableStore {
  readonly #files: TableFiles;
  readonly #ids: Ids;

  constructor(files: TableFiles, ids: Ids) {
    this.#files = files;
    this.#ids = ids;
  }

  /** Returns an empty table if there is no file. Rejects with a `StaticRouteError`. */
  async read(path: string): Promise<Table> {
    try {
      const text = await this.#files.read(path, tableBytesMax);
      if (text === undefined) throw new TableProblem(`it is larger than ${tableBytesMax} bytes`);
      return parseTable(text);
    } catch (err) {
      if (!isMissing(err)) throw unreadable(path, err);
    }
    // If the folder is missing, too, the storage is unreachable and the table is not known to be empty.
    await this.#files.names(dirname(path)).catch((err: unknown) => {
      throw unreadable(path, err);
    });
    return new Map();
  }

  /**
   * Resolves when the new table is in place. Rejects with a `StaticRouteError`, whose effect says whether it may be in
   * place, or with the error of the write gate.
   */
  async replace(
    path: string,
    table: Table,
    { signal, beforeWrite }: RouteApplyOptions,
  ): Promise<void> {
    const write = (step: () => Promise<void>, effect: 'none' | 'unknown'): Promise<void> => {
      signal.throwIfAborted();
      beforeWrite();
      return step().catch((err: unknown) => {
        throw unwritable(path, err, effect);
      });
    };
    const { target, drafts } = await this.#surroundings(path).catch((err: unknown) => {
      throw unwritable(path, err, 'none');
    });
    for (const draft of drafts) await write(() => this.#files.remove(draft), 'none');
    const draft = join(dirname(target), `${draftStart(target)}${this.#ids.uuid()}${draftEnd}`);
    await write(() => this.#files.create(draft, formatTable(table)), 'none');
    // The folder is not synced: if a power failure brings the old table back, the next list shows it.
    await write(() => this.#files.rename(draft, target), 'unknown');
  }

  /** Returns the file that the path leads to, and the drafts beside it. */
  async #surroundings(
    path: string,
  ): Promise<{ readonly target: string; readonly drafts: readonly string[] }> {
    const target = await this.#files.follow(path).catch((err: unknown) => {
      if (isMissing(err)) return path;
      throw err;
    });
    const folder = dirname(target);
    const names = await this.#files.names(folder);
    const drafts = names
      .filter((name) => isDraftOf(target, name))
      .map((name) => join(folder, name));
    return { target, drafts };
  }
}

/** Drafts are hidden and end in another suffix than the table, so that no router reads a draft as a table. */
function draftStart(target: string): string {
  return `.${basename(target)}.`;
}

const draftEnd = '.tmp';

function isDraftOf(target: string, name: string): boolean {
  const start = draftStart(target);
  const id = name.slice(start.length, -draftEnd.length);
  return name === `${start}${id}${draftEnd}` && /^[-0-9a-f]{36}$/.test(id);
}

function unreadable(path: string, err: unknown): StaticRouteError {
  if (!(err instanceof TableProblem)) {
    const message = `Cannot read the route table ${path}: ${wordsOf(err)}`;
    return new StaticRouteError('StaticTableNotReadable', message, { cause: err });
  }
  const remedy = 'Restore the file, or delete it to have it written again.';
  const message = `Cannot use the route table ${path}: ${err.message}. ${remedy}`;
  return new StaticRouteError('StaticTableInvalid', message, { cause: err });
}

function unwritable(path: string, err: unknown, effect: 'none' | 'unknown'): StaticRouteError {
  const remedy = 'The manager must be able to create, rename and remove files in its folder.';
  const message = `Cannot write the route table ${path}: ${wordsOf(err)}. ${remedy}`;
  return new StaticRouteError('StaticTableNotWritable', message, { effect, cause: err });
}

function wordsOf(err: unknown): string {
  return err instanceof Error ? printable(err.message, 120) : 'unknown reason';
}
