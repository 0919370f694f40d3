/**
 * Checks at start whether the role may read everything that look-ups and routes read. It tries every kind of read, so
 * that the user sees all missing permissions at once, and reads only the first page of each list. Any other failure,
 * such as a missing token, ends the check at once.
 */
import { AzureError } from './failure.ts';
import type { MachineApi } from './machine-api.ts';
import type { Scope } from './resource-id.ts';

export interface AccessQuestions {
  readonly api: MachineApi;
  readonly scope: Scope;
  /** Reads the route table; undefined if none is configured. */
  readonly readTable?: ((signal: AbortSignal) => Promise<unknown>) | undefined;
  readonly signal: AbortSignal;
}

export async function checkAccess(questions: AccessQuestions): Promise<void> {
  const { api, scope, readTable, signal } = questions;
  const options = { signal, isProbe: true };
  const refusals: AzureError[] = [];
  const attempt = async <T>(work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work;
    } catch (err) {
      if (!(err instanceof AzureError) || err.code !== 'AzureAccessRefused') throw err;
      refusals.push(err);
      return undefined;
    }
  };
  await attempt(api.virtualMachines(scope, options));
  const scaleSets = await attempt(api.scaleSets(scope, options));
  await attempt(api.interfaces(scope, options));
  await attempt(api.publicAddresses(scope, options));
  const uniform = scaleSets?.find(({ isUniform }) => isUniform);
  if (uniform !== undefined) {
    const place = { ...scope, scaleSet: uniform.name };
    await attempt(api.instances(place, options));
    await attempt(api.interfaces(place, options));
    await attempt(api.publicAddresses(place, options));
  }
  if (readTable !== undefined) await attempt(readTable(signal));
  const [first, ...others] = refusals;
  if (first === undefined) return;
  const messages = new Set([first, ...others].map(({ message }) => message));
  const azureCode = first.azureCode;
  throw new AzureError('AzureAccessRefused', [...messages].join('. '), {
    retry: 'never',
    azureCode,
  });
}
