/** `docs/reference/events.md`: every event on nodes, when it is sent and what to do about it. */
import {
  type ControllerDeclaration,
  controllers,
  type EventNote,
} from '@tandem/manager/controllers';

/** The events about nodes that a controller declares. */
interface EventGroup {
  /** The `reportingController` of the events. */
  readonly controller: string;
  readonly events: readonly EventNote[];
}

export function eventGroupsOf(declarations: readonly ControllerDeclaration[]): EventGroup[] {
  return declarations.map(({ name, events }) => ({ controller: name, events }));
}

export const eventGroups: readonly EventGroup[] = eventGroupsOf(controllers);

export function renderEvents(): string {
  return `# The events

<!-- Made by \`npm run docs\` from the declarations of the events in packages/controllers and the refusals in packages/core. -->

All events are about a Node. They are in the namespace \`default\`, like the events of all objects without a namespace.
\`kubectl describe node NAME\` shows them, and so does \`kubectl get events -A --field-selector involvedObject.name=NAME\`.
Tandem writes them as core/v1 with the fields of both API groups, so that clients can read them under core/v1 and \`events.k8s.io/v1\`
([why](../decisions/0013-core-events.md)).

\`kubectl describe\` and \`kubectl events --for node/NAME\` sort them, together with the events of the kubelet and other components, by when they
were last seen. \`kubectl get events\` sorts them by when they began, because their names consist of the node's name and
the time, as in client-go; \`--sort-by=.lastTimestamp\` sorts by when they were last seen. If the manager may only write
\`events.k8s.io\`, it writes events under that group. This group accepts no \`lastTimestamp\`, so
\`kubectl describe\` then lists Tandem's events before all others.

The meaning of a reason never changes, so base alerts on reason and type. An event about a change is sent once.
A refusal and a held deletion last: Tandem renews their event every thirty minutes, because the API server
drops events after an hour, and stops when the cause is gone. For one node Tandem sends at most 25 events in a burst, and then one more
every five minutes. It sends the event of a refusal that stands even beyond this limit, within a minute. A manager that restarts or takes
over begins new events. A dry run sends none.

Tandem sends an event after the write that the event is about. If the manager is killed in between, the node is
initialised but has no event \`Synced\`. The Node itself is complete.

${eventGroups.map(renderGroup).join('\n')}`;
}

function renderGroup({ controller, events }: EventGroup): string {
  return `## Of ${controller}\n\n${events.map(renderEvent).join('\n')}`;
}

function renderEvent({ reason, type, actions, meaning, warnsWhen, remedy }: EventNote): string {
  const types = warnsWhen === undefined ? type : `${type}, Warning where ${warnsWhen}`;
  const facts = `${types}; action ${actions.map((action) => `\`${action}\``).join(' or ')}`;
  return `### ${reason}\n\n${facts}\n\n${meaning}\n\n**What to do:** ${remedy}\n`;
}
