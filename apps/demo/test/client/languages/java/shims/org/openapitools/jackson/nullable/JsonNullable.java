package org.openapitools.jackson.nullable;

/** A value that may be null, or absent. Debian has no package of it, and what is read here has no such value. */
public final class JsonNullable<T> {
    private final T value;

    private JsonNullable(T value) {
        this.value = value;
    }

    public static <T> JsonNullable<T> of(T value) {
        return new JsonNullable<>(value);
    }

    public static <T> JsonNullable<T> undefined() {
        return new JsonNullable<>(null);
    }

    public T orElse(T other) {
        return value == null ? other : value;
    }

    public T get() {
        return value;
    }
}
