/**
 * The API server's audit log: one line for each answered request. It has no bodies (level Metadata), so that it stays
 * small enough for measured runs.
 */
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** The parts of `audit.k8s.io/v1` Event that tests ask about. */
export interface AuditEntry {
  readonly verb: string;
  readonly requestURI: string;
  /** The name is empty where the server refused an unauthenticated request. */
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

/** Writes the policy. The API server creates the log itself. */
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

/** The entries so far, oldest first. */
export async function* readEntries({ logFile }: AuditLog): AsyncGenerator<AuditEntry> {
  const file = await open(logFile);
  for await (const line of file.readLines()) {
    const entry = parseEntry(line);
    if (entry !== undefined) yield entry;
  }
}

/** Undefined for the last line while the server is still writing it. */
function parseEntry(line: string): AuditEntry | undefined {
  try {
    const entry: AuditEntry = JSON.parse(line);
    return { ...entry, user: { ...nobody, ...entry.user } };
  } catch {
    return undefined;
  }
}

const nobody = { username: '' };
