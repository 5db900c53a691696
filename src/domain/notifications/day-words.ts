const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Monday is 1. */
export const dayName = (weekday: number): string => dayNames[weekday - 1] ?? '';

/** 'Mon to Fri', 'Mon, Wed', 'every day', 'no day'; `nameOf` says what a day is called. */
export function daysInWords(
  weekdays: readonly number[],
  nameOf: (weekday: number) => string = (weekday) => dayName(weekday).slice(0, 3),
): string {
  const days = [...new Set(weekdays)].sort((a, b) => a - b);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return 'no day';
  if (days.length === 7) return 'every day';
  if (days.length > 2 && last - first === days.length - 1) return `${nameOf(first)} to ${nameOf(last)}`;
  return days.map(nameOf).join(', ');
}
