/** What is wrong with an inventory, and where: people look for the line first. */
import { CcmError } from '@tandem/runtime';

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Thrown while a file or an entry is read, and caught where it is known which of the two is refused. */
export class InventoryProblem extends Error {
  readonly place: Position;

  constructor({ line, column }: Position, message: string) {
    super(message);
    this.name = 'InventoryProblem';
    this.place = { line, column };
  }
}

export type InventoryErrorCode = 'InventoryNotReadable' | 'InventoryInvalid' | 'InventoryMissing';

/** A file that cannot be used as a whole. At the start it ends the program. */
export class InventoryError extends CcmError {
  constructor(code: InventoryErrorCode, message: string, cause?: unknown) {
    super(message, { code, retry: 'backoff', effect: 'none', cause });
  }
}

/** `inventory.yaml:12:5`, as compilers have it, so that editors can follow it. */
export function formatPosition(path: string, { line, column }: Position): string {
  return `${path}:${line}:${column}`;
}
