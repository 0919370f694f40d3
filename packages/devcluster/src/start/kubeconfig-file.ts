/**
 * The kubeconfig, in a directory of its own that only its owner can read. It contains a private key, so the program
 * removes it however the program ends.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface KubeconfigFile {
  readonly path: string;
  /** Harmless when called twice. */
  remove(): void;
}

export function writeKubeconfig(text: string, temporaryDirectory: string): KubeconfigFile {
  // mkdtemp makes it readable only by its owner.
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
