/** The controllers' own line to the API server, and whether they have a token for it. */
import type { KubeClient } from '@tandem/kube/client';
import type { Credentials } from '@tandem/kube/credentials';
import { createTransport, type KubeTransport } from '@tandem/kube/transport';
import type { Clock, Logger } from '@tandem/runtime';
import type { HealthCheck } from '../serving/index.ts';
import { accountCredentials } from './account-credentials.ts';
import { AccountTokens } from './account-tokens.ts';
import { type AccountName, requestToken } from './request-token.ts';

export interface ControllerLine {
  readonly transport: KubeTransport;
  /** For readiness. */
  readonly check: HealthCheck;
}

export function openControllerLine(options: {
  readonly account: AccountName;
  /** The manager's own, whose address and trust count. */
  readonly credentials: Credentials;
  /** The manager's own, which asks for the tokens; one without a write gate. */
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly userAgent: string;
}): ControllerLine {
  const { account, client, clock, logger, userAgent } = options;
  const tokens = new AccountTokens({
    clock,
    logger,
    account: `${account.namespace}/${account.name}`,
    request: () => requestToken(client, account),
  });
  const credentials = accountCredentials(options.credentials, tokens);
  return {
    transport: createTransport({ credentials, userAgent }),
    check: { name: 'controller-account', check: () => tokens.check() },
  };
}
