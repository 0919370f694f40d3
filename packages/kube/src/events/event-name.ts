/**
 * The name of an event, which follows from what it says and about what. A manager that is restarted, or
 * one that takes over, therefore continues the event that is there instead of adding another, and a
 * create whose answer got lost can be repeated.
 */
import { hash } from 'node:crypto';
import { namespaceOf, type NewEvent } from './event.ts';

export function eventName(event: NewEvent): string {
  return nameOf(event, event.note);
}

/** The name of the event that stands for all that differ in nothing but the note. */
export function combinedName(event: NewEvent): string {
  return nameOf(event, undefined);
}

function nameOf(event: NewEvent, note: string | undefined): string {
  const { regarding, type, reason, action, reportingController } = event;
  const { apiVersion, kind, name, uid } = regarding;
  const about = [apiVersion, kind, namespaceOf(regarding), name, uid];
  const said = [reportingController, type, reason, action, note ?? null];
  const digest = hash('sha256', JSON.stringify([about, said]), 'hex');
  return `${shortened(name)}.${digest.slice(0, digestLength)}`;
}

/** 64 bits: two of a million events share a name with a chance of one in 37 million. */
const digestLength = 16;

/** Names are at most 253 characters, and no part of one ends in a dot or a dash. */
const nameLengthMax = 253;

function shortened(name: string): string {
  return name.slice(0, nameLengthMax - digestLength - 1).replace(/[.-]+$/, '');
}
