import { useEffect, useState } from "react";

/** The last value that did not change for `milliseconds`: for searches while the user types. */
export function useDelayed<Value>(value: Value, milliseconds = 250): Value {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return delayed;
}
