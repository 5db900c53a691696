const DAY = 24 * 3_600_000;

/** The Monday with which the last `weeks` weeks begin, the one of today among them; both days as yyyy-MM-dd. */
export function weeksBegin(weeks: number, today: string): string {
  const at = Date.parse(`${today}T00:00:00Z`);
  const weekday = (new Date(at).getUTCDay() + 6) % 7;
  return new Date(at - (7 * (weeks - 1) + weekday) * DAY).toISOString().slice(0, 10);
}
