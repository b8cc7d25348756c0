package io.swagger.annotations;

/** Documentation only. Debian has no package of it. */
public @interface ApiModel {
    String value() default "";

    String description() default "";
}
