/**
 * Checks at start whether the role may read everything that look-ups and routes read. It tries every kind of read, so
 * that the user sees all missing permissions at once, and reads only the first page of each list. Any other failure of
 * a look-up, such as a missing token, ends the check at once. A route table that cannot be used is a gap: nodes are
 * initialised all the same.
 */
import type { AccessGap, AccessOptions } from '@tandem/provider/plug';
import { AzureError } from './failure.ts';
import type { MachineApi } from './machine-api.ts';
import type { Scope } from './resource-id.ts';
import type { AzureRoutes } from './routes/index.ts';

export interface AccessQuestions {
  readonly api: MachineApi;
  readonly scope: Scope;
  /** Undefined if no route table is configured. */
  readonly routes: AzureRoutes | undefined;
}

export async function checkAccess(
  { api, scope, routes }: AccessQuestions,
  { signal, routedNodes }: AccessOptions,
): Promise<readonly AccessGap[]> {
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
  const tableProblem = routedNodes === undefined ? undefined : await routes?.findProblem(signal);
  const [first, ...others] = refusals;
  if (first === undefined) {
    return tableProblem ? [{ err: tableProblem, consequence: 'Nodes get no routes' }] : [];
  }
  const messages = new Set([first, ...others, tableProblem].flatMap((err) => err?.message ?? []));
  const azureCode = first.azureCode;
  throw new AzureError('AzureAccessRefused', [...messages].join('. '), {
    retry: 'never',
    azureCode,
  });
}
