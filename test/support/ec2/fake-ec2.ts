/**
 * A fake of EC2 at the wire: an HTTP server on loopback that takes the query protocol (a form in, XML out)
 * and is as strict as EC2 is. Real SDKs talk to it. Tests change its state by hand and make it fail:
 * refusals, throttling, lost answers, calls that hang, zones that are down, reads that lag.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallRate } from '@tandem/provider/calls';
import { type Clock, systemClock } from '@tandem/runtime';
import { bodyOf, LoopbackServer } from '../loopback-server.ts';
import { requireAccess } from './access.ts';
import { describeInstances } from './describe-instances.ts';
import { describeTopology } from './describe-topology.ts';
import { describeZones } from './describe-zones.ts';
import { EC2Error, ZoneDownError } from './error.ts';
import { modifyInstance } from './modify-instance.ts';
import { modifyInterface } from './modify-interface.ts';
import { Query } from './query.ts';
import { createRoute, deleteRoute, describeRouteTables, replaceRoute } from './routes.ts';
import { type EC2State, emptyState } from './state.ts';
import { type XmlValue, writeXml } from './xml.ts';

const namespace = 'http://ec2.amazonaws.com/doc/2016-11-15/';

/** What happens to a call instead of, or after, what it asks for. */
export type Fault =
  | { readonly kind: 'refuse'; readonly error: EC2Error }
  /** Nothing is answered until the client gives up. */
  | { readonly kind: 'hang' }
  /** The connection ends before EC2 does anything. */
  | { readonly kind: 'reset' }
  /** EC2 does it, and the answer never arrives. */
  | { readonly kind: 'lose' }
  /** Something on the way answers in EC2's place, and as if all were well. */
  | { readonly kind: 'garbage'; readonly body: string };

export const throttled: Extract<Fault, { readonly kind: 'refuse' }> = {
  kind: 'refuse',
  error: new EC2Error('RequestLimitExceeded', 'Request limit exceeded.', 503),
};

export class FakeEC2 extends LoopbackServer {
  state: EC2State;
  /** What reads are answered from, where they lag behind. */
  readsFrom: EC2State | undefined;
  /** The only key that is let in. */
  accessKeyId = 'AKIDEXAMPLE';
  /** What goes with that key, if it is a temporary one. */
  sessionToken = 'session-of-the-role';
  /** Actions that the policy of that key does not allow. */
  readonly denied: Set<string> = new Set();
  /** Whether it makes the change that a dry run only asks about, as programs that imitate EC2 do. */
  ignoresDryRuns = false;
  readonly zonesDown: Set<string> = new Set();
  /** Whether filters find no instance, although the instances are there. */
  hasEmptyFilters = false;
  /** What calls about such a zone get: an error of the server, or no answer. Both were seen. */
  zoneOutage: 'error' | 'silence' = 'error';
  pageSizeMax = 1_000;
  /** What happens to every call, until it is taken away. */
  fault: Fault | undefined;
  /** What happens to the next calls of an action, before `fault` is looked at. */
  readonly nextFaults: { readonly action: string; readonly fault: Fault }[] = [];
  /** Called for every call before EC2 does what it asks for, and again before the answer is sent, which may never be. */
  meet: ((call: Query, when: 'before' | 'after') => Promise<'pass' | 'hang'>) | undefined;
  /** What is left of the account's quota, by action; actions without a bucket have no limit. */
  readonly quotas: Map<string, CallRate> = new Map();
  /** The actions that were throttled because their quota was used up, and when by `clock`. */
  readonly throttled: { readonly action: string; readonly atMs: number }[] = [];
  /** Whose time the answers show. */
  clock: Pick<Clock, 'now'> = systemClock;
  /** How far EC2 is ahead of the machine that asks. */
  aheadMs = 0;
  /** The actions of all calls that arrived, in their order, such as `CreateRoute` or `CreateRoute (dry run)`. */
  readonly calls: string[] = [];
  /** The XML of the last answer that was no error. */
  lastAnswer = '';
  /** Calls that have arrived and are not answered. */
  underWay = 0;

  private constructor(region: string) {
    super();
    this.state = emptyState(region);
  }

  static start(region = 'eu-west-1'): Promise<FakeEC2> {
    return new FakeEC2(region).listen();
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.underWay++;
    response.once('close', () => this.underWay--);
    const body = await bodyOf(request);
    const requestId = `request-${this.calls.length}`;
    response.setHeader('date', new Date(this.clock.now() + this.aheadMs).toUTCString());
    try {
      const query = new Query(body);
      this.calls.push(query.name);
      if ((await this.meet?.(query, 'before')) === 'hang') return;
      const fault = this.#takeFault(query.name);
      if (fault?.kind === 'hang') return;
      if (fault?.kind === 'reset') return void request.socket.destroy();
      if (fault?.kind === 'refuse') throw fault.error;
      if (fault?.kind === 'garbage') {
        return void response.writeHead(200, { 'content-type': 'text/html' }).end(fault.body);
      }
      this.#requireQuota(query.action);
      requireAccess(request, this, query);
      const fields = this.#carryOut(query);
      if (fault?.kind === 'lose') return void request.socket.destroy();
      if ((await this.meet?.(query, 'after')) === 'hang') return;
      const xml = writeXml(`${query.action}Response`, { requestId, ...fields }, namespace);
      this.lastAnswer = xml;
      response.writeHead(200, { 'content-type': 'text/xml;charset=UTF-8' }).end(xml);
    } catch (err) {
      if (err instanceof ZoneDownError && this.zoneOutage === 'silence') return;
      const known = err instanceof EC2Error ? err : new EC2Error('InternalError', String(err), 500);
      response
        .writeHead(known.status, { 'content-type': 'text/xml;charset=UTF-8' })
        .end(known.toXml(requestId));
    }
  }

  #requireQuota(action: string): void {
    const quota = this.quotas.get(action);
    if (quota === undefined) return;
    if (quota.waitMs() === 0) return quota.take();
    this.throttled.push({ action, atMs: this.clock.now() });
    throw throttled.error;
  }

  #takeFault(name: string): Fault | undefined {
    const index = this.nextFaults.findIndex(({ action }) => action === name);
    return index === -1 ? this.fault : this.nextFaults.splice(index, 1)[0]?.fault;
  }

  #carryOut(query: Query): Record<string, XmlValue> {
    const seen = this.readsFrom ?? this.state;
    const { zonesDown, pageSizeMax } = this;
    switch (query.action) {
      case 'DescribeInstances': {
        const isReversed = this.calls.length % 2 === 0;
        const isEmpty = this.hasEmptyFilters && query.list('InstanceId').length === 0;
        const shown = isEmpty ? { ...seen, instances: new Map() } : seen;
        return describeInstances(shown, query, { zonesDown, pageSizeMax, isReversed });
      }
      case 'DescribeAvailabilityZones':
        return describeZones(seen, query);
      case 'DescribeInstanceTopology':
        return describeTopology(seen, query, pageSizeMax);
      case 'DescribeRouteTables':
        return describeRouteTables(seen, query, pageSizeMax);
      case 'CreateRoute':
        return this.#change(createRoute(this.state, query));
      case 'ReplaceRoute':
        return this.#change(replaceRoute(this.state, query));
      case 'DeleteRoute':
        return this.#change(deleteRoute(this.state, query));
      case 'ModifyInstanceAttribute':
        return this.#change(modifyInstance(this.state, query));
      case 'ModifyNetworkInterfaceAttribute':
        return this.#change(modifyInterface(this.state, query));
      default: {
        const message = `The action ${query.action} is not valid for this web service.`;
        throw new EC2Error('InvalidAction', message);
      }
    }
  }

  #change(state: EC2State): Record<string, XmlValue> {
    this.state = state;
    return { return: true };
  }
}
