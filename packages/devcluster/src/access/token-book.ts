/**
 * The tokens that let somebody in. Those that the cluster was given count for ever; those of service
 * accounts count until they expire, and only as long as the very account is there that they were
 * issued to: a namesake that is created later does not inherit them.
 */
import type { Clock } from '@tandem/runtime';
import type { Store } from '../store/index.ts';
import type { User } from './access.ts';
import { accountUser, type ServiceAccount } from './service-accounts.ts';

interface Issued {
  readonly account: ServiceAccount & { readonly uid: string };
  readonly expiresAtMs: number;
}

export class TokenBook {
  readonly #clock: Clock;
  readonly #store: Store;
  readonly #given = new Map<string, User>();
  readonly #issued = new Map<string, Issued>();

  constructor(clock: Clock, store: Store) {
    this.#clock = clock;
    this.#store = store;
  }

  /** Lets somebody in who shows this token. */
  give(token: string, user: User): void {
    this.#given.set(token, user);
  }

  /** Lets a service account in for a while. */
  issue(token: string, issued: Issued): void {
    const nowMs = this.#clock.now();
    for (const [known, { expiresAtMs }] of this.#issued) {
      if (expiresAtMs <= nowMs) this.#issued.delete(known);
    }
    this.#issued.set(token, issued);
  }

  userOf(token: string): User | undefined {
    return this.#given.get(token) ?? this.#accountOf(token);
  }

  #accountOf(token: string): User | undefined {
    const issued = this.#issued.get(token);
    if (issued === undefined || issued.expiresAtMs <= this.#clock.now()) return undefined;
    const { namespace, name, uid } = issued.account;
    const account = this.#store.collection('serviceaccounts').get(`${namespace}/${name}`);
    return account?.metadata.uid === uid ? accountUser(issued.account) : undefined;
  }
}
