import { expect, it } from 'vitest';
import { discussionIntensity, engagementBar, engagementLabel } from './engagement.ts';

it.each([
  [11, 'High', 55],
  [10, 'Medium', 50],
  [6, 'Medium', 30],
  [5, 'Low', 25],
  [0, 'Low', 0],
  [20, 'High', 100],
  [21, 'High', 100],
])('%d comments are %s engagement and a bar of %d percent', (comments, label, bar) => {
  expect(engagementLabel(comments)).toBe(label);
  expect(engagementBar(comments)).toBe(bar);
});

it.each([
  [11, 10, 'High'],
  [10, 10, 'Medium'],
  [6, 5, 'Medium'],
  [10, 0, 'Low'],
])('%d general and %d review comments are %s discussion', (general, review, intensity) => {
  expect(discussionIntensity(general, review)).toBe(intensity);
});
