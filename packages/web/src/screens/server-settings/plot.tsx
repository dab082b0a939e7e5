import styles from "./figures.module.css";

/** A measure by days, and its figure as a whole. */
export interface Series {
  name: string;
  values: readonly number[];
  shown: string;
}

const height = 60;

/** Bars by days, of up to two measures beside each other. A table says the same to those who do not see it. */
export function Plot({ days, series }: { days: readonly string[]; series: readonly Series[] }) {
  const most = Math.max(1, ...series.flatMap(({ values }) => values));
  const width = 1 / (series.length + 0.25);
  return (
    <>
      <dl className={styles.legend}>
        {series.map(({ name, shown }, index) => (
          <div key={name} className={index === 0 ? styles.first : styles.second}>
            <dt>{name}</dt>
            <dd>{shown}</dd>
          </div>
        ))}
      </dl>
      <svg
        className={styles.plot}
        viewBox={`0 0 ${Math.max(1, days.length)} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {series.map(({ name, values }, index) => (
          <g key={name} className={index === 0 ? styles.first : styles.second}>
            {values.map((value, day) => {
              const bar = (value / most) * height;
              const at = { x: day + index * width, y: height - bar, width, height: bar };
              // A day has one place, whatever its figure is.
              return <rect key={days[day]} {...at} />;
            })}
          </g>
        ))}
      </svg>
      <p className={styles.ends} aria-hidden="true">
        <span>{days[0]}</span>
        <span>{days.at(-1)}</span>
      </p>
    </>
  );
}
