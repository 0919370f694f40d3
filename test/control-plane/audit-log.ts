/**
 * The API server's audit log: who asked what, one line a request, once it has been answered. Bodies
 * are left out (level Metadata), which keeps it small enough to have on in a measured run.
 */
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** The parts of `audit.k8s.io/v1` Event that tests ask about. */
export interface AuditEntry {
  readonly verb: string;
  readonly requestURI: string;
  /** The name is empty where the server did not find out who asked, and refused. */
  readonly user: { readonly username: string; readonly groups?: readonly string[] };
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
  };
  readonly responseStatus?: { readonly code: number };
  readonly requestReceivedTimestamp: string;
}

export interface AuditLog {
  readonly policyFile: string;
  readonly logFile: string;
}

/** Writes the policy; the log itself is the API server's to make. */
export async function createAuditLog(directory: string): Promise<AuditLog> {
  const policyFile = join(directory, 'audit-policy.yaml');
  const logFile = join(directory, 'audit.log');
  await writeFile(
    policyFile,
    stringify({
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      omitStages: ['RequestReceived'],
      rules: [{ level: 'Metadata' }],
    }),
  );
  return { policyFile, logFile };
}

/** What has been written so far, oldest first. */
export async function* readEntries({ logFile }: AuditLog): AsyncGenerator<AuditEntry> {
  const file = await open(logFile);
  for await (const line of file.readLines()) {
    const entry = parseEntry(line);
    if (entry !== undefined) yield entry;
  }
}

/** The last line may still be being written; then it is not there yet. */
function parseEntry(line: string): AuditEntry | undefined {
  try {
    const entry: AuditEntry = JSON.parse(line);
    return { ...entry, user: { ...nobody, ...entry.user } };
  } catch {
    return undefined;
  }
}

const nobody = { username: '' };
