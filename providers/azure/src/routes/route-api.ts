/**
 * Makes the calls about the route table, and no others: the role for routes consists of exactly these. A write replaces
 * the whole table, and only if the table has not changed since it was read. Azure accepts a write and carries it out
 * later, so a write has succeeded only when its operation has.
 */
import type { RouteTable } from '@azure/arm-network';
import type { Arm, ArmCall } from '../arm.ts';
import { isResourceMissing } from '../call-failure.ts';
import type { Clients } from '../clients.ts';
import type { RouteTableSettings } from '../config/index.ts';
import { AzureError } from '../failure.ts';
import type { Operations } from './operations.ts';

export interface WriteOptions {
  readonly signal: AbortSignal;
  readonly beforeWrite: () => void;
}

export class RouteApi {
  readonly #arm: Arm;
  readonly #clients: Clients;
  readonly #operations: Operations;
  readonly #place: RouteTableSettings;

  constructor(options: {
    readonly arm: Arm;
    readonly clients: Clients;
    readonly operations: Operations;
    readonly place: RouteTableSettings;
  }) {
    this.#arm = options.arm;
    this.#clients = options.clients;
    this.#operations = options.operations;
    this.#place = options.place;
  }

  /** Reads the table; undefined if the resource group has no such table. */
  async find(signal: AbortSignal): Promise<RouteTable | undefined> {
    const { subscriptionId, resourceGroup, name } = this.#place;
    try {
      return await this.#arm.call(this.#callOf('route_tables_get', 'read', signal), async () => {
        const { routeTables } = await this.#clients.network(subscriptionId);
        return routeTables.get(resourceGroup, name);
      });
    } catch (err) {
      if (err instanceof AzureError && isResourceMissing(err)) return undefined;
      throw err;
    }
  }

  /**
   * Writes the table if it is still the one that `etag` identifies; without an ETag, only if the table does not exist
   * yet.
   */
  async write(
    table: RouteTable,
    etag: string | undefined,
    { signal, beforeWrite }: WriteOptions,
  ): Promise<void> {
    const { subscriptionId, resourceGroup, name } = this.#place;
    const headers: Record<string, string> =
      etag === undefined ? { 'If-None-Match': '*' } : { 'If-Match': etag };
    const call = {
      ...this.#callOf('route_tables_create_or_update', 'write', signal),
      beforeWrite,
    };
    const accepted = await this.#arm.call(call, async () => {
      let operation: Parameters<Operations['finish']>[0] | undefined;
      const { routeTables } = await this.#clients.network(subscriptionId);
      const poller = routeTables.createOrUpdate(resourceGroup, name, table, {
        requestOptions: { headers },
        onResponse: (response) => {
          operation = { status: response.status, headers: response.headers };
        },
      });
      await poller.submitted();
      return operation;
    });
    if (accepted !== undefined) {
      await this.#operations.finish(accepted, { subscriptionId, resourceGroup, signal });
    }
  }

  #callOf(request: string, verb: string, signal: AbortSignal): ArmCall {
    const { subscriptionId, resourceGroup, name, scopeKeys } = this.#place;
    const what = `${verb} route table ${name} in resource group ${resourceGroup}`;
    const place = { subscriptionId, resourceGroup, scopeKeys };
    return { type: 'routeTables', request, what, ...place, signal };
  }
}
