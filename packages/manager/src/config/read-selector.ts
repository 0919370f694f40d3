/** Reads label selectors with the rules of Kubernetes. */
import {
  type LabelExpression,
  labelKeyProblem,
  type LabelSelector,
  labelValueProblem,
  quote,
} from '@tandem/core/node-address';
import type { Value, YamlValues } from '@tandem/cli/yaml';
import { expressionFields, selectorFields } from './fields.ts';

/** The maximum number of parts, more than any selector needs. */
const partsMax = 64;
const valuesMax = 1024;

export function readSelector(source: YamlValues, value: Value): LabelSelector | undefined {
  const fields = source.fields(value, selectorFields);
  const labels = fields?.get('matchLabels');
  const expressions = source
    .list(fields?.get('matchExpressions'), partsMax)
    .flatMap((expression) => readExpression(source, expression) ?? []);
  return {
    ...(labels === undefined ? {} : { matchLabels: readLabels(source, labels) }),
    ...(expressions.length === 0 ? {} : { matchExpressions: expressions }),
  };
}

function readLabels(source: YamlValues, value: Value): Readonly<Record<string, string>> {
  const entries = source.entries(value, partsMax) ?? [];
  const labels = entries.flatMap(({ key, value: item }) => {
    const keyProblem = labelKeyProblem(key);
    if (keyProblem !== undefined) source.refuse(item, keyProblem);
    const text = readLabelValue(source, item);
    return text === undefined ? [] : [[key, text] as const];
  });
  return Object.fromEntries(labels);
}

function readExpression(source: YamlValues, value: Value): LabelExpression | undefined {
  const fields = source.fields(value, expressionFields);
  const keyValue = fields?.get('key');
  const operatorValue = fields?.get('operator');
  const key = source.text(keyValue);
  const operator = source.text(operatorValue);
  const values = source
    .list(fields?.get('values'), valuesMax)
    .flatMap((item) => readLabelValue(source, item) ?? []);
  if (keyValue === undefined || key === undefined) return undefined;
  const keyProblem = labelKeyProblem(key);
  if (keyProblem !== undefined) source.refuse(keyValue, keyProblem);
  if (operatorValue === undefined || operator === undefined) return undefined;
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (!fields?.has('values')) source.refuse(value, `${operator} requires values`);
      else if (values.length === 0)
        source.refuse(value, `${operator} requires at least one valid value`);
      return { key, operator, values };
    case 'Exists':
    case 'DoesNotExist':
      if (fields?.has('values')) source.refuse(value, `${operator} does not accept values`);
      return { key, operator };
    default:
      return source.refuse(
        operatorValue,
        `${quote(operator)} is not one of In, NotIn, Exists, DoesNotExist`,
      );
  }
}

function readLabelValue(source: YamlValues, value: Value): string | undefined {
  const text = source.text(value);
  const problem = text === undefined ? undefined : labelValueProblem(text);
  return problem === undefined ? text : source.refuse(value, problem);
}
