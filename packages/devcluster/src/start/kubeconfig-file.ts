/**
 * The kubeconfig in a directory of its own that only its owner can read. It holds a key, so it goes when the
 * program does, in whichever way that ends.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface KubeconfigFile {
  readonly path: string;
  /** Harmless when called twice. */
  remove(): void;
}

export function writeKubeconfig(text: string, temporaryDirectory: string): KubeconfigFile {
  // Readable by its owner alone, as mkdtemp makes it.
  const directory = mkdtempSync(join(temporaryDirectory, 'tandem-start-'));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    const path = join(directory, 'kubeconfig');
    writeFileSync(path, text, { mode: 0o600 });
    return { path, remove };
  } catch (err) {
    remove();
    throw err;
  }
}
