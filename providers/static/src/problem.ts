/** The errors of an inventory, with the line and column of each mistake. */
import { CcmError } from '@tandem/runtime';

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A mistake in the file or in one entry. The caller that catches it refuses that file or entry. */
export class InventoryProblem extends Error {
  readonly place: Position;

  constructor({ line, column }: Position, message: string) {
    super(message);
    this.name = 'InventoryProblem';
    this.place = { line, column };
  }
}

export type InventoryErrorCode = 'InventoryNotReadable' | 'InventoryInvalid' | 'InventoryMissing';

/** The file as a whole cannot be used. At start, this ends the program. */
export class InventoryError extends CcmError {
  constructor(code: InventoryErrorCode, message: string, cause?: unknown) {
    super(message, { code, retry: 'backoff', effect: 'none', cause });
  }
}

/** Returns a position such as `inventory.yaml:12:5`, in the format of compilers, which editors can open. */
export function formatPosition(path: string, { line, column }: Position): string {
  return `${path}:${line}:${column}`;
}
