# First build the jars per platform: mvn -Pprogram,dist -pl dist -am package
#   docker build -t mayfly .
# For both architectures: docker buildx build --platform linux/amd64,linux/arm64 -t mayfly .
# The build needs no network, apart from the base image, and BuildKit, which sets TARGETARCH.
# A server that keeps data and protects it:
#   docker run -p 27017:27017 -p 8081:8081 -e MAYFLY_COSMOS_KEY=... -v mayfly-data:/data mayfly
# An emulator for tests, in memory:
#   docker run -p 27017:27017 -p 8081:8081 -p 8080:8080 mayfly --emulator
FROM eclipse-temurin:25-jre
ARG TARGETARCH
COPY mayfly docker-entrypoint LICENSE THIRD-PARTY.md /opt/mayfly/
COPY dist/target/mayfly-*-linux-${TARGETARCH}.jar /opt/mayfly/mayfly.jar
RUN useradd --system mayfly && mkdir /data && chown mayfly /data
ENV PATH="/opt/mayfly:$PATH"
USER mayfly
VOLUME /data
EXPOSE 27017 8081 8080
# Without --emulator, all clients of a container are remote, so they must log in: add a user with
# `mayfly users add` first.
# MAYFLY_MEMORY limits the memory. Default: 1 GiB, or three quarters of a smaller container limit.
ENTRYPOINT ["/opt/mayfly/docker-entrypoint"]
CMD ["serve", "--data", "/data", "--bind", "0.0.0.0"]
