/**
 * The controllers' own connections to the API server, one for each service account, and whether each account has a
 * token. The Lease always uses the manager's connection.
 */
import type { KubeClient } from '@tandem/kube/client';
import type { Credentials } from '@tandem/kube/credentials';
import { createTransport, type KubeTransport } from '@tandem/kube/transport';
import type { Clock, Logger } from '@tandem/runtime';
import type { HealthCheck, HealthOutcome } from '@tandem/serving';
import { accountNamespace } from '../access/index.ts';
import { accountCredentials } from './account-credentials.ts';
import { AccountTokens } from './account-tokens.ts';
import { requestToken } from './request-token.ts';

export interface ControllerConnections {
  /** By the name of the account. */
  readonly transports: ReadonlyMap<string, KubeTransport>;
  /** The readiness check. */
  readonly check: HealthCheck;
  close(): Promise<void>;
}

interface ControllerConnectionsOptions {
  /** The names of the service accounts. */
  readonly accounts: readonly string[];
  /** The manager's own credentials, whose address and CA the controllers use. */
  readonly credentials: Credentials;
  /** The manager's own client, which requests the tokens. It has no write gate. */
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly userAgent: string;
  /** Where the address of the server was found. */
  readonly serverFrom: string;
}

export function openControllerConnections(
  options: ControllerConnectionsOptions,
): ControllerConnections {
  const { accounts, client, clock, logger, userAgent, serverFrom } = options;
  const connections = accounts.map((name) => {
    const tokens = new AccountTokens({
      clock,
      logger,
      account: `${accountNamespace}/${name}`,
      request: () => requestToken(client, { namespace: accountNamespace, name }),
    });
    const credentials = accountCredentials(options.credentials, tokens);
    return { name, tokens, transport: createTransport({ credentials, userAgent, serverFrom }) };
  });
  return {
    transports: new Map(connections.map(({ name, transport }) => [name, transport])),
    check: {
      name: 'controller-account',
      check: () => allHealthy(connections.map(({ tokens }) => tokens.check())),
    },
    async close() {
      await Promise.all(connections.map(({ transport }) => transport.close()));
    },
  };
}

/** Joins the checks of all accounts. The reason names the accounts without a token. */
function allHealthy(outcomes: readonly HealthOutcome[]): HealthOutcome {
  const reasons = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.reason]));
  return reasons.length === 0 ? { ok: true } : { ok: false, reason: reasons.join('; ') };
}
